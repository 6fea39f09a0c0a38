"""A transformer that obeys its prompts, for what is promised about jobs whatever makes their pictures."""

from __future__ import annotations

import asyncio
from pathlib import Path

from overpaint.errors import InvalidRequestError, UpstreamError
from overpaint.media.opener.recognition import HEAD_BYTES, recognise
from overpaint.transforms.targets import photo_of
from overpaint.transforms.task import Inspection, Progress, Transformed
from overpaint.wire.media_limits import Kind


class ScriptedTransformer:
    """Gives the input back as the output; a decoded photo is the photo with "decoded " before it.

    "upstream fails" and "damaged" fail, "breaks" is a fault of ours, "slow" lasts until ``release``.
    """

    def __init__(self) -> None:
        self.inspected = 0
        self.begun: list[str] = []
        self.photos: list[bytes | None] = []
        self._go = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def release(self) -> None:
        """Lets what is slow go on; from any thread."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._go.set)

    async def inspect(self, source: Path, kind: Kind, *, tenant: str = "") -> Inspection:
        self.inspected += 1
        with source.open("rb") as opened:
            found = recognise(opened.read(HEAD_BYTES))
        if found is None or found.kind != kind:
            raise InvalidRequestError("body_breaks_rules", sentence=f"is no {kind}.")
        return Inspection(kind, found.content_type, 96, 64, 0.0, 1)

    async def transform(
        self,
        source: Path,
        kind: Kind,
        prompt: str,
        target: Path,
        progress: Progress,
        *,
        photo: Path | None = None,
        tenant: str = "",
    ) -> Transformed:
        self.begun.append(prompt)
        self.photos.append(None if photo is None else photo.read_bytes())
        self._loop = asyncio.get_running_loop()
        progress(0.43)
        if "upstream fails" in prompt:
            raise UpstreamError("service_refuses", kind="", sentence="The scripted engine rejects it.")
        if "damaged" in prompt:
            raise InvalidRequestError("body_breaks_rules", sentence="is damaged.")
        if "breaks" in prompt:
            raise RuntimeError("the scripted transformer breaks")
        if "slow" in prompt:
            await self._go.wait()
        target.write_bytes(source.read_bytes())
        progress(1.0)
        made = "image/png" if kind == "image" else "video/mp4"
        return Transformed(target, made, target.stat().st_size, "in vain" in prompt and photo is None)

    async def photo(self, source: Path, *, tenant: str = "") -> Path:
        found = recognise(source.read_bytes()[:HEAD_BYTES])
        if found is None or found.kind != "image":
            raise InvalidRequestError("body_breaks_rules", sentence="is no picture.")
        decoded = photo_of(source)
        decoded.write_bytes(b"decoded " + source.read_bytes())
        return decoded

    async def close(self) -> None:
        pass
