"""The manual page, in the macros of man(7), made from the program's own help texts."""

from __future__ import annotations

from commands import Command, Option

from overpaint import __version__

_EXIT = (("0", "Done."), ("1", "It failed; one line says why and how to mend it."), ("2", "Wrong usage."))
_FILES = (
    ("~/.local/share/overpaint", "Settings, ledger, logs. OVERPAINT_DATA_DIR or --data-dir name another."),
    ("~/.cache/overpaint", "Compiled kernels and thumbnails; may be removed at any time."),
    ("/usr/lib/modprobe.d/overpaint.conf", "Options of the virtual camera's driver, v4l2loopback."),
)


def page(command: Command) -> str:
    """Returns the whole page."""
    lines = [
        f'.TH OVERPAINT 1 "" "overpaint {__version__}" "User Commands"',
        ".SH NAME",
        f"overpaint \\- {_text(command.summary[0].lower() + command.summary[1:].rstrip('.'))}",
        ".SH SYNOPSIS",
        ".B overpaint",
    ]
    for each in command.commands:
        lines += [".br", f".B overpaint {each.name[-1]}", _text(_usage(each))]
    lines += [".SH DESCRIPTION", "Without a command it opens its window."]
    lines += [".SH OPTIONS", *_options(command.options), ".SH COMMANDS"]
    for each in command.all():
        if each is not command:
            lines += _section(each)
    lines += [".SH EXIT STATUS", *_list(_EXIT), ".SH FILES", *_list(_FILES)]
    return "\n".join(lines) + "\n"


def _usage(command: Command) -> str:
    words = ["COMMAND" if command.commands else "", command.arguments, "[OPTION…]"]
    return " ".join(word for word in words if word)


def _section(command: Command) -> list[str]:
    lines = [f".SS {' '.join(command.name)} {_text(_usage(command))}"]
    for paragraph in command.help.strip().split("\n\n"):
        lines += [".PP", _text(" ".join(paragraph.split()))]
    return [*lines, *_options(command.options)]


def _options(options: tuple[Option, ...]) -> list[str]:
    lines = []
    for option in options:
        value = "|".join(option.choices) or option.value
        names = ", ".join(f"\\fB{_text(name)}\\fR" for name in option.names)
        lines += [".TP", names + (f" \\fI{_text(value)}\\fR" if value else ""), _text(option.help)]
    return lines


def _list(pairs: tuple[tuple[str, str], ...]) -> list[str]:
    return [line for name, text in pairs for line in (".TP", f"\\fB{_text(name)}\\fR", _text(text))]


def _text(text: str) -> str:
    """Text in which troff sees no requests and no ligatures of hyphens."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped[:1] in (".", "'") else escaped
