"""The real program with transforms that take a moment instead of seconds: arguments as of ``overpaint``.

Only the workers are scripted: a file is copied, after a random moment; a prompt with "fails" fails.
"""

from __future__ import annotations

import asyncio
import random
import shutil
from pathlib import Path

from overpaint.errors import UpstreamError
from overpaint.transforms import pool
from overpaint.transforms.task import Inspection, Progress, Transformed
from overpaint.wire.media_limits import Kind

TYPES: dict[Kind, str] = {"image": "image/png", "video": "video/mp4"}


class QuickTransformer:
    """A ``Transformer`` without workers."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    async def inspect(self, source: Path, kind: Kind, *, tenant: str = "") -> Inspection:
        await asyncio.sleep(random.uniform(0, 0.02))
        return Inspection(kind, TYPES[kind], 96, 64, 0.5 if kind == "video" else 0.0, 12)

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
        await asyncio.sleep(random.uniform(0, 0.1))
        progress(0.5)
        await asyncio.sleep(random.uniform(0, 0.1))
        if "fails" in prompt:
            raise UpstreamError("transformation_failed")
        shutil.copyfile(source, target)
        return Transformed(target, TYPES[kind], target.stat().st_size)

    async def photo(self, source: Path, *, tenant: str = "") -> Path:
        return source

    async def close(self) -> None:
        pass


if __name__ == "__main__":
    pool.WorkerPool = QuickTransformer  # type: ignore[assignment,misc]
    from overpaint.__main__ import main

    main()
