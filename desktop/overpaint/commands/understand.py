"""``overpaint understand``: what would be done with a prompt, without a service."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overpaint.commands.options import AsJson
from overpaint.folders import looks_dir

if TYPE_CHECKING:
    from overpaint.engine.prompt.reader import Reading

_WHERE = {"all": "everything", "person": "person", "background": "background"}


def understand(
    prompt: Annotated[str, typer.Argument(help="What to do with the picture, in your own words.")],
    as_json: AsJson = False,
) -> None:
    """Say what a prompt would do, and which of its words nothing can be done with.

    Reads as the engine of this computer does; a service with a GPU may understand more.
    """
    reading = read_here(prompt)
    if as_json:
        typer.echo(json.dumps(facts_of(reading), ensure_ascii=False))
        return
    typer.echo("The picture stays as it is." if reading.nothing else reading.understood)
    for line in warnings_of(prompt, reading):
        typer.echo(line)


def read_here(prompt: str, has_photo: bool = False) -> Reading:
    """Reads a prompt as this computer's engine does, the user's own looks included."""
    from overpaint.engine.library import own_looks
    from overpaint.engine.prompt.reader import read_prompt

    return read_prompt(prompt, has_photo, own=own_looks(looks_dir()))


def facts_of(reading: Reading) -> dict[str, Any]:
    """What is done with a prompt, as ``--json`` says it; ``look`` is null where the look stays as it is."""
    changes, edits = reading.modifiers, reading.edits
    places = {f"{changes.subject} only"}
    return {
        "look": None if reading.nothing else reading.look.name,
        "changes": [said for said in changes.said if said not in places],
        "where": _WHERE[changes.subject],
        "scene": edits.scene or (edits.backdrop.name if edits.backdrop else None),
        "clothes": edits.clothes or None,
        "hair": edits.hair.name if edits.hair else None,
        "material": edits.material or None,
        "not_understood": list(reading.not_understood),
        "hint": hint_of(reading),
    }


def hint_of(reading: Reading) -> str | None:
    """The suggestions as one sentence; None where there are none."""
    if not reading.suggestions:
        return None
    joined = ", or ".join(each.sentence for each in reading.suggestions)
    return f"{joined[0].upper()}{joined[1:]}."


def warnings_of(prompt: str, reading: Reading) -> list[str]:
    """The lines for a user about words that nothing can be done with, and about what else would do it."""
    from overpaint.wire.looks import spoken

    if not reading.not_understood:
        return []
    lines = [f"Not understood: {spoken(prompt, reading.not_understood)}"]
    hint = hint_of(reading)
    return [*lines, hint] if hint else lines
