"""A connection to the desktop portal: method calls, requests that the user answers, and signals.

Sources: D-Bus Specification; XDG Desktop Portal, "Requests" and "Sessions". One thread receives; nothing is
polled. Must not know which interface of the portal is used.
"""

from __future__ import annotations

import itertools
import logging
import os
import socket
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NoAnswer
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from overpaint.folders import APP

if TYPE_CHECKING:  # jeepney is there on Linux only
    from jeepney import MatchRule, Message

log = logging.getLogger(__name__)

NAME = "org.freedesktop.portal.Desktop"
PATH = "/org/freedesktop/portal/desktop"
_PREFIX = "org.freedesktop.portal."
CALL_S = 10.0
"""Time limit of a call that asks nobody; the bus may have to start the portal first."""

Variant = tuple[str, Any]
"""A D-Bus variant: signature and value."""
Told = Callable[[tuple[Any, ...]], None]
"""Receives a signal's arguments, on the connection's thread; must return quickly."""
Reason = Literal["no_bus", "no_portal", "refused", "ended", "failed"]


class PortalError(Exception):
    """The portal is missing, or does not give what was asked for.

    Attributes:
        reason: ``no_bus``: no session bus; ``no_portal``: nobody serves this interface; ``refused``: by the
            user; ``ended``: this side ended the wait; ``failed``: anything else.
        sentence: What the portal said about it; may be empty.
    """

    def __init__(self, reason: Reason, sentence: str = "") -> None:
        super().__init__(f"{reason} {sentence}".strip())
        self.reason = reason
        self.sentence = sentence


class Portal:
    """A connection to the portal; to be closed, which also ends the sessions that were begun over it.

    Raises:
        PortalError: ``no_bus``.
    """

    def __init__(self) -> None:
        from jeepney.io.blocking import open_dbus_connection

        try:
            self._bus = open_dbus_connection("SESSION", enable_fds=True)
        except (OSError, KeyError, RuntimeError, ValueError) as error:  # jeepney: KeyError without an address
            raise PortalError("no_bus", str(error)) from error
        self._guard = threading.Lock()
        self._serials: dict[int, Future[Message]] = {}
        self._handlers: list[tuple[MatchRule, Told]] = []
        self._answers: set[Future[Any]] = set()
        self._numbers = itertools.count(1)
        self._closed = False
        self.gone: Callable[[], None] = lambda: None
        """Called on the connection's thread when the bus ends, but not by ``close``."""
        self._thread = threading.Thread(target=self._receive, name="portal", daemon=True)
        self._thread.start()
        self._introduce()

    def version(self, interface: str) -> int:
        """Returns the version of an interface, as ``property`` does."""
        return int(self.property(interface, "version"))

    def property(self, interface: str, name: str) -> Any:
        """Returns a property of an interface.

        Raises:
            PortalError: ``no_portal``: nobody serves that interface.
        """
        try:
            asked = (_PREFIX + interface, name)
            (variant,) = self._call("org.freedesktop.DBus.Properties", "Get", "ss", asked)
        except PortalError as error:
            raise PortalError("no_portal", error.sentence) from error
        return variant[1]

    def call(self, interface: str, method: str, signature: str, *values: Any) -> tuple[Any, ...]:
        """Calls a method that asks nobody.

        Args:
            interface: Its name after ``org.freedesktop.portal.``.
            method: The method.
            signature: D-Bus signature of the arguments.
            values: The arguments.

        Raises:
            PortalError: ``failed``: the portal said no, or nothing.
        """
        return self._call(_PREFIX + interface, method, signature, values)

    def ask(
        self,
        interface: str,
        method: str,
        signature: str,
        *values: Any,
        options: Mapping[str, Variant],
        patience_s: float = CALL_S,
    ) -> dict[str, Any]:
        """Calls a method that answers by a request, which the user may have to decide.

        Args:
            interface: As for ``call``.
            method: The method.
            signature: D-Bus signature of all arguments; the last are the options (``a{sv}``).
            values: The arguments before the options.
            options: The options, without the request's token.
            patience_s: Time limit of the answer.

        Returns:
            The results, without their variants' signatures.

        Raises:
            PortalError: ``refused`` by the user, ``ended`` by ``close``, or ``failed``.
        """
        token = self.token()
        path = f"{PATH}/request/{self._bus.unique_name[1:].replace('.', '_')}/{token}"
        answer: Future[tuple[int, dict[str, Variant]]] = Future()
        with self._guard:
            if self._closed:
                raise PortalError("ended")
            self._answers.add(answer)
        forget = self.listen("Request", "Response", lambda said: _settle(answer, said), path)
        try:
            self.call(interface, method, signature, *values, {**options, "handle_token": ("s", token)})
            code, results = answer.result(patience_s)
        except NoAnswer as error:
            with suppress(PortalError):
                self._call(f"{_PREFIX}Request", "Close", "", (), path)
            raise PortalError("failed", "it does not answer") from error
        finally:
            forget()
            self._answers.discard(answer)
        if code != 0:
            raise PortalError("refused" if code == 1 else "failed")
        return {name: variant[1] for name, variant in results.items()}

    def listen(self, interface: str, member: str, told: Told, path: str = PATH) -> Callable[[], None]:
        """Subscribes to a signal.

        Returns:
            A function that ends the subscription.
        """
        from jeepney import MatchRule

        rule = MatchRule(type="signal", interface=_PREFIX + interface, member=member, path=path)
        entry = rule, told
        with self._guard:
            self._handlers.append(entry)
        self._match("AddMatch", rule)

        def forget() -> None:
            with self._guard:
                self._handlers.remove(entry)
            with suppress(PortalError):
                self._match("RemoveMatch", rule)

        return forget

    def token(self) -> str:
        """Returns a token that this connection has not used, for a request or a session."""
        return f"overpaint{os.getpid()}_{next(self._numbers)}"

    def close(self) -> None:
        """Ends the connection, its sessions, and every wait for an answer; idempotent."""
        with self._guard:
            first, self._closed = not self._closed, True
        if first:
            self._release("ended")
            with suppress(OSError):
                self._bus.sock.shutdown(socket.SHUT_RDWR)  # wakes the thread
        if threading.current_thread() is not self._thread:
            self._thread.join(CALL_S)

    def _introduce(self) -> None:
        """Tells the portal which program this is, where it wants to know (since version 1.20).

        It keeps what the user decided by that name, and gives global shortcuts to no nameless program. An
        older one finds the name by itself; one that knows no installed ``overpaint.desktop`` refuses.
        """
        with suppress(PortalError):
            self._call("org.freedesktop.host.portal.Registry", "Register", "sa{sv}", (APP, {}))

    def _match(self, method: str, rule: MatchRule) -> None:
        from jeepney import message_bus

        self._send(getattr(message_bus, method)(rule))

    def _call(
        self, interface: str, method: str, signature: str, values: tuple[Any, ...], path: str = PATH
    ) -> tuple[Any, ...]:
        from jeepney import DBusAddress, new_method_call

        address = DBusAddress(path, NAME, interface)
        return self._send(new_method_call(address, method, signature or None, values))

    def _send(self, message: Message) -> tuple[Any, ...]:
        from jeepney import MessageType

        answer: Future[Message] = Future()
        with self._guard:
            if self._closed:
                raise PortalError("ended")
            serial = next(self._bus.outgoing_serial)
            self._serials[serial] = answer
            try:
                self._bus.send(message, serial=serial)
            except OSError as error:
                raise PortalError("no_bus", str(error)) from error
        try:
            reply = answer.result(CALL_S)
        except NoAnswer as error:
            raise PortalError("failed", "it does not answer") from error
        finally:
            self._serials.pop(serial, None)
        if reply.header.message_type is MessageType.error:
            raise PortalError("failed", str(reply.body[0]) if reply.body else "")
        return tuple(reply.body)

    def _receive(self) -> None:
        try:
            while True:
                self._dispatch(self._bus.receive())
        except (OSError, ValueError) as error:
            log.debug("the session bus is gone: %s", error)
        except Exception:
            log.exception("the connection to the portal ended for an unknown reason")
        with self._guard:
            lost, self._closed = not self._closed, True
        self._release("no_bus")
        self._bus.close()
        if lost:
            self.gone()

    def _dispatch(self, message: Message) -> None:
        from jeepney import HeaderFields, MessageType

        kind = message.header.message_type
        if kind in (MessageType.method_return, MessageType.error):
            answer = self._serials.get(message.header.fields.get(HeaderFields.reply_serial, 0))
            if answer is not None and not answer.done():
                answer.set_result(message)
        elif kind is MessageType.signal:
            with self._guard:
                told = [told for rule, told in self._handlers if rule.matches(message)]
            for each in told:
                each(tuple(message.body))

    def _release(self, reason: Reason) -> None:
        with self._guard:
            waiting: list[Future[Any]] = [*self._serials.values(), *self._answers]
        for answer in waiting:
            with suppress(Exception):  # it was answered meanwhile
                answer.set_exception(PortalError(reason))


def _settle(answer: Future[tuple[int, dict[str, Variant]]], said: tuple[Any, ...]) -> None:
    if not answer.done():
        answer.set_result((int(said[0]), dict(said[1])))


__all__ = ["CALL_S", "Portal", "PortalError", "Variant"]
