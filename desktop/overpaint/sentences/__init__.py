"""The catalogue of the sentences of errors: code to sentence, one module a subject.

An error is raised by its code and parameters (``overpaint.errors``) and told in words only where somebody
reads it: in English by ``str``, in the language of the window by ``gui/words/troubles.py``. Imports nothing
of Overpaint and is all there from the start, since a process in a sandbox can open no module later.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from overpaint.sentences import (
    camera,
    command_line,
    desktop,
    installation,
    looks,
    media_files,
    outputs,
    processes,
    refusals,
    service_access,
    service_operation,
    session,
    sources,
    transforms,
)
from overpaint.sentences.sentence import Sentence as Sentence

SHOWN_IN_WINDOW: Mapping[str, Sentence] = MappingProxyType(
    sources.SENTENCES
    | camera.SENTENCES
    | outputs.SENTENCES
    | media_files.SENTENCES
    | transforms.SENTENCES
    | looks.SENTENCES
    | session.SENTENCES
    | service_access.SENTENCES
    | processes.SENTENCES
    | desktop.SENTENCES
)
"""What a user of the window can meet: translated into each of its languages."""

SENTENCES: Mapping[str, Sentence] = MappingProxyType(
    dict(SHOWN_IN_WINDOW)
    | installation.SENTENCES
    | command_line.SENTENCES
    | service_operation.SENTENCES
    | refusals.SENTENCES
)
"""Every sentence. The command line and the service speak English."""

MODULES = (
    sources,
    camera,
    outputs,
    media_files,
    transforms,
    looks,
    session,
    service_access,
    processes,
    desktop,
    installation,
    command_line,
    service_operation,
    refusals,
)
