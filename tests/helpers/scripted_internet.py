"""The real program on a scripted internet: arguments PORT, then a command line of ``overpaint``.

Names under ``.test`` have the addresses below, and every connection to the public one arrives at PORT on
loopback, where a test answers. Only the system's edge is scripted: looking names up and connecting.
"""

from __future__ import annotations

import itertools
import socket
import sys
from collections.abc import Iterator
from typing import Any

import httpcore

PUBLIC = "93.184.215.14"
NAMES: dict[str, Iterator[list[str]]] = {
    "public.test": itertools.repeat([PUBLIC]),
    "inward.test": itertools.repeat(["127.0.0.1"]),
    "lan.test": itertools.repeat(["192.168.1.1"]),
    "metadata.test": itertools.repeat(["169.254.169.254"]),
    "mapped.test": itertools.repeat(["::ffff:127.0.0.1"]),
    "mixed.test": itertools.repeat([PUBLIC, "10.0.0.1"]),
    "changing.test": itertools.chain([[PUBLIC]], itertools.repeat(["127.0.0.1"])),
}
"""What each look-up of a name answers, one after another."""


def script(port: int) -> None:
    """Puts the scripted internet in the place of the real one."""
    look_up, connect = socket.getaddrinfo, httpcore.AnyIOBackend.connect_tcp

    def scripted_look_up(host: Any, *arguments: Any, **options: Any) -> list[Any]:
        name = host.decode() if isinstance(host, bytes) else str(host)
        if not name.endswith(".test"):
            return look_up(host, *arguments, **options)
        if name not in NAMES:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        places = [look_up(each, *arguments, **options) for each in next(NAMES[name])]
        return [place for each in places for place in each]

    async def scripted_connect(self: Any, host: str, there: int, *arguments: Any, **options: Any) -> Any:
        target = ("127.0.0.1", port) if host == PUBLIC else (host, there)
        return await connect(self, *target, *arguments, **options)

    socket.getaddrinfo = scripted_look_up
    httpcore.AnyIOBackend.connect_tcp = scripted_connect  # type: ignore[method-assign]


if __name__ == "__main__":
    from overpaint.__main__ import main

    script(int(sys.argv[1]))
    sys.argv[1:] = sys.argv[2:]
    sys.exit(main())
