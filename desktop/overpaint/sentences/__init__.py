"""The message catalogue of errors: error code to English sentence, one module a subject.

An error is raised with its code and parameters (``overpaint.errors``), and becomes text only where it is
shown: in English by ``str``, in the window's language by ``gui/words/troubles.py``. Imports nothing else of
Overpaint. All modules are imported at once, since a sandboxed process cannot open one later.
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
"""Sentences that the window can show, which are translated into each of its languages."""

SENTENCES: Mapping[str, Sentence] = MappingProxyType(
    dict(SHOWN_IN_WINDOW)
    | installation.SENTENCES
    | command_line.SENTENCES
    | service_operation.SENTENCES
    | refusals.SENTENCES
)
"""Every sentence; the command line and the service use the English ones."""

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
