"""Completions of commands, options and their values for bash, zsh and fish.

They are data, made when the package is: asking the program at each press of Tab would take half a second.
"""

from __future__ import annotations

from commands import Command, Option


def bash(command: Command) -> str:
    """The completion for bash, by its programmable completion."""
    cases, values = [], []
    for each in command.all():
        words = [below.name[-1] for below in each.commands] + [name for o in each.options for name in o.names]
        cases.append(f'        "{" ".join(each.name)}") words="{" ".join(words)}" ;;')
        for option in each.options:
            if option.choices or option.value:
                names = "|".join(f'"{" ".join(each.name)} {name}"' for name in option.names)
                values.append(f"        {names}) {_bash_values(option)}; return ;;")
    groups = "|".join(f'"{" ".join(each.name)}"' for each in command.all() if each is not command)
    return "\n".join(
        [
            "# bash completion of overpaint; made from its own command line.",
            "_overpaint() {",
            '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
            '    local at=overpaint words="" i',
            "    for ((i = 1; i < COMP_CWORD; i++)); do",
            f'        case "$at ${{COMP_WORDS[i]}}" in {groups}) at="$at ${{COMP_WORDS[i]}}" ;; esac',
            "    done",
            '    case "$at $before" in',
            *values,
            "    esac",
            '    case "$at" in',
            *cases,
            "    esac",
            '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
            "}",
            "complete -o default -F _overpaint overpaint",
            "",
        ]
    )


def _bash_values(option: Option) -> str:
    if option.choices:
        return f'COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$word"))'
    return 'COMPREPLY=($(compgen -f -- "$word"))' if option.is_path else "COMPREPLY=()"


def zsh(command: Command) -> str:
    """The completion for zsh, by ``_arguments``."""
    functions = [_zsh_function(each) for each in command.all()]
    return "\n".join(["#compdef overpaint", *functions, f'{_zsh_name(command)} "$@"', ""])


def _zsh_function(command: Command) -> str:
    specs = [spec for option in command.options for spec in _zsh_specs(option)]
    if command.commands:
        pairs = " ".join(_zsh_quoted(f"{each.name[-1]}:{each.summary}") for each in command.commands)
        cases = " ".join(f"{each.name[-1]}) {_zsh_name(each)} ;;" for each in command.commands)
        specs += ["'1: :->command'", "'*:: :->rest'"]
        after = (
            f"    case $state in\n    command) local -a names; names=({pairs}); _describe command names ;;\n"
            f"    rest) case $words[1] in {cases} esac ;;\n    esac\n"
        )
    else:
        specs += ["'*:file:_files'"] if command.takes_paths else []
        after = ""
    arguments = " \\\n        ".join(specs)
    return (
        f"{_zsh_name(command)}() {{\n    local curcontext=$curcontext state line\n"
        f"    _arguments -C \\\n        {arguments}\n{after}}}"
    )


def _zsh_specs(option: Option) -> list[str]:
    help = option.help.replace("[", "(").replace("]", ")").replace(":", "\\:")
    action = ""
    if option.choices:
        action = f":value:({' '.join(option.choices)})"
    elif option.value:
        action = f":{option.value.lower()}:{'_files' if option.is_path else ' '}"
    return [_zsh_quoted(f"{name}[{help}]{action}") for name in option.names]


def _zsh_name(command: Command) -> str:
    return "_" + "_".join(command.name)


def _zsh_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def fish(command: Command) -> str:
    """The completion for fish, by ``complete``."""
    lines = ["# fish completion of overpaint; made from its own command line.", "complete -c overpaint -f"]
    for each in command.all():
        here = f"complete -c overpaint -n '{_fish_condition(each)}'"
        lines += [f"{here} -a {below.name[-1]} -d {_fish_quoted(below.summary)}" for below in each.commands]
        for option in each.options:
            names = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in option.names)
            value = f" -xa '{' '.join(option.choices)}'" if option.choices else " -r" * bool(option.value)
            value += " -F" * option.is_path
            lines.append(f"{here} {names}{value} -d {_fish_quoted(option.help)}")
        lines += [f"{here} -F"] * each.takes_paths
    return "\n".join(lines) + "\n"


def _fish_condition(command: Command) -> str:
    above, below = command.name[1:], " ".join(each.name[-1] for each in command.commands)
    parts = [f"__fish_seen_subcommand_from {word}" for word in above]
    if below:
        parts.append(f"not __fish_seen_subcommand_from {below}")
    return "; and ".join(parts) or "true"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
