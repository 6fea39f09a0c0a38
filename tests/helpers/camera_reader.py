"""The far end of the scripted camera, a process of its own: NODE WIDTH HEIGHT. A line for every frame.

Of its own, because the times at which frames arrive are measured: nothing else may hold them up. A line on
its standard input says that whoever wrote has died: half a frame is forgotten, as the driver does, and that
is told by "half".
"""

from __future__ import annotations

import json
import os
import select
import sys
import time

import numpy as np


def main() -> None:
    """Reads until it is killed."""
    from helpers.stamps import read
    from overpaint.session.output.slate import slate

    width, height = int(sys.argv[2]), int(sys.argv[3])
    still = slate(width, height).reshape(-1)[::997].copy()
    pipe = os.open(sys.argv[1], os.O_RDWR)
    buffer = bytearray(width * height * 3 // 2)
    view, flat = memoryview(buffer), np.frombuffer(buffer, np.uint8)
    filled = 0
    print(json.dumps("ready"), flush=True)
    while True:
        ready, _, _ = select.select([pipe, sys.stdin], [], [])
        if pipe in ready:
            filled += os.readv(pipe, [view[filled:]])
            if filled == len(buffer):
                filled, at = 0, time.monotonic()
                luma = flat[: width * height].reshape(height, width)
                chroma = flat[width * height :: 97].astype(int)
                is_slate = bool((flat[::997] == still).all())
                number = None if is_slate else read(luma)
                black = int(luma[::17, ::17].max()) <= 20
                print(json.dumps([at, number, is_slate, int(np.abs(chroma - 128).max()), black]), flush=True)
        elif sys.stdin in ready:
            sys.stdin.readline()
            filled = 0
            print(json.dumps("half"), flush=True)


if __name__ == "__main__":
    from pathlib import Path

    sys.path.insert(0, str(Path(__file__).parents[1]))
    main()
