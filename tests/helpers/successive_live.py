"""A live process at the edge of whoever watches it: arguments as of ``overpaint attend``.

It speaks the real messages over the real channel, has the course that a file of the data folder tells (a
successor that of another file), and notes there what it is told.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from overpaint.errors import LinkError
from overpaint.processes.channel import Channel, ChannelServer
from overpaint.processes.roles import Role
from overpaint.processes.supervision.heartbeat import PING, PONG
from overpaint.wire.live import Hello, parse_intent

COURSE, NEXT_COURSE = "course.json", "next-course.json"
TOLD = "told.jsonl"


def main() -> None:
    folder = Path(sys.argv[sys.argv.index("--data-dir") + 1])
    attended = folder / "attended"
    course = folder / (NEXT_COURSE if attended.exists() else COURSE)
    if "--standby" in sys.argv:
        print("loaded", flush=True)
        if not sys.stdin.readline():
            return
    attended.touch()
    role = Role(folder, "live")
    role.take(2.0)

    def serve(channel: Channel) -> None:
        hello = parse_intent(channel.receive(5.0) or b"")
        assert isinstance(hello, Hello) and hello.role == "watcher"
        threading.Thread(target=answer, args=(channel,), daemon=True).start()
        said = b""
        while True:
            if (now := course.read_bytes()) != said:
                said = now
                channel.send(said)
            threading.Event().wait(0.02)

    def answer(channel: Channel) -> None:
        try:
            while True:
                message = channel.receive()
                if message == PING:
                    channel.send(PONG)
                elif message is not None:
                    with (folder / TOLD).open("ab") as told:
                        told.write(message + b"\n")
        except LinkError:
            pass

    server = ChannelServer(serve, "live")
    role.announce(server.address, server.secret)
    print("ready", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
