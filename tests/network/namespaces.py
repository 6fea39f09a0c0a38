"""Two network namespaces with a bad network between them: ``tc netem`` where the kernel has it.

Elsewhere (a kernel built without it) two TUN devices whose packets go through ``Way`` in a process of its
own: the same losses, delays and queues, to every packet alike. Linux, as root.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import heapq
import itertools
import os
import select
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from helpers.bad_network import Impairment, Way

HERE, THERE = "10.177.0.1", "10.177.0.2"
CLONE_NEWNET = 0x40000000
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000


class Lab:
    """Two namespaces, ``desktop`` and ``core``, joined by a network that can be changed.

    Attributes:
        kind: How the network is made bad, in words.
    """

    def __init__(self) -> None:
        self._names = [f"overpaint-{os.getpid()}-{end}" for end in ("desktop", "core")]
        self._relay: subprocess.Popen[bytes] | None = None
        for name in self._names:
            _ip("netns", "add", name)
            _ip("-n", name, "link", "set", "lo", "up")
        self.netem = self._veth()
        self.kind = "tc netem and tbf on a veth pair" if self.netem else "TUN pair, relayed in user space"

    def close(self) -> None:
        """Takes everything away again."""
        self._end_relay()
        for name in self._names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)

    def program(self, end: int, *arguments: str) -> list[str]:
        """The command line of a program in the namespace of the desktop (0) or the core (1)."""
        return ["ip", "netns", "exec", self._names[end], *arguments]

    def set(self, impairment: Impairment) -> None:
        """Makes the network so, in both directions."""
        if self.netem:
            for end in range(2):
                self._shape(end, impairment)
            return
        self._end_relay()
        numbers = (impairment.loss, impairment.delay_s, impairment.jitter_s, impairment.bits_per_s)
        words = [str(number) for number in (*numbers, impairment.queue_s)]
        command = [sys.executable, __file__, *self._names, *words]
        self._relay = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert self._relay.stdout is not None and self._relay.stdout.readline()
        for end, address in enumerate((HERE, THERE)):
            _ip("-n", self._names[end], "addr", "add", f"{address}/30", "dev", f"end{end}")
            _ip("-n", self._names[end], "link", "set", f"end{end}", "mtu", "1500", "up")

    def _veth(self) -> bool:
        """Joins the namespaces by a veth pair; False where the kernel has no netem to make it bad."""
        here, there = self._names
        pair = ["link", "add", "end0", "netns", here, "type", "veth", "peer", "name", "end1", "netns", there]
        _ip(*pair)
        probe = ["tc", "-n", here, "qdisc", "add", "dev", "end0", "root", "netem", "delay", "1ms"]
        if subprocess.run(probe, check=False, capture_output=True).returncode:
            _ip("-n", here, "link", "del", "end0")
            return False
        for end, address in enumerate((HERE, THERE)):
            _ip("-n", self._names[end], "addr", "add", f"{address}/30", "dev", f"end{end}")
            _ip("-n", self._names[end], "link", "set", f"end{end}", "up")
        return True

    def _shape(self, end: int, way: Impairment) -> None:
        tc = ["tc", "-n", self._names[end], "qdisc"]
        device = ["dev", f"end{end}"]
        subprocess.run([*tc, "del", *device, "root"], check=False, capture_output=True)
        netem = ["netem", "limit", "10000", "delay", f"{way.delay_s * 1e3}ms", f"{way.jitter_s * 1e3}ms"]
        netem += ["loss", f"{way.loss * 100}%"]
        subprocess.run([*tc, "add", *device, "root", "handle", "1:", *netem], check=True)
        if way.bits_per_s:
            tbf = [
                "tbf",
                "rate",
                f"{way.bits_per_s:.0f}",
                "burst",
                "3000",
                "latency",
                f"{way.queue_s * 1e3}ms",
            ]
            subprocess.run([*tc, "add", *device, "parent", "1:1", *tbf], check=True)

    def _end_relay(self) -> None:
        if self._relay is not None:
            self._relay.terminate()
            self._relay.wait()
            self._relay = None


@contextlib.contextmanager
def lab() -> Iterator[Lab]:
    """The namespaces, for as long as they are needed.

    Raises:
        SystemExit: This machine does not allow it; says what is missing.
    """
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("tc"):
        raise SystemExit("bench-net needs Linux, root, and iproute2 (ip, tc).")
    made = Lab()
    try:
        yield made
    finally:
        made.close()


def relay(names: list[str], impairment: Impairment) -> None:
    """Carries packets between a TUN device in each namespace until it is ended."""
    devices = [_tun(name, f"end{end}") for end, name in enumerate(names)]
    print("ready", flush=True)
    ways = [Way(impairment, seed) for seed in (1, 2)]
    travelling: list[tuple[float, int, int, bytes]] = []
    order = itertools.count()
    while True:
        wait = max(0.0, travelling[0][0] - time.monotonic()) if travelling else None
        ready, _, _ = select.select(devices, [], [], wait)
        now = time.monotonic()
        for device in ready:
            packet = os.read(device, 2048)
            end = devices.index(device)
            arrival = ways[end].arrival(now, len(packet))
            if arrival is not None:
                heapq.heappush(travelling, (arrival, next(order), 1 - end, packet))
        while travelling and travelling[0][0] <= time.monotonic():
            _, _, end, packet = heapq.heappop(travelling)
            with contextlib.suppress(OSError):  # an interface that is not up yet
                os.write(devices[end], packet)


def _tun(namespace: str, name: str) -> int:
    """A TUN device in a namespace; needs this process to be alone in its thread."""
    libc = ctypes.CDLL(None, use_errno=True)
    place = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
    if libc.setns(place, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")
    os.close(place)
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH14x", name.encode(), IFF_TUN | IFF_NO_PI))
    return device


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)


if __name__ == "__main__":
    relay(sys.argv[1:3], Impairment(*(float(word) for word in sys.argv[3:])))
