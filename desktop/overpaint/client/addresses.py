"""Service addresses as users type them. Must not do I/O."""

from __future__ import annotations

from urllib.parse import urlsplit

from overpaint.errors import UsageError
from overpaint.wire.servers import is_loopback_address


def service_address(text: str) -> str:
    """The base address of a service: scheme and host, without a trailing slash.

    Without a typed scheme it is ``https``, or ``http`` for this computer. A trailing ``/v1`` (as in the
    specification's base address) is removed.

    Raises:
        UsageError: It is not an address.
    """
    typed = text.strip()
    if "://" not in typed:
        typed = f"{'http' if is_loopback_address('http://' + typed) else 'https'}://{typed}"
    try:
        parts = urlsplit(typed)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query
        fits = fits and parts.port != 0 and parts.username is None
    except ValueError:
        fits = False
    if not fits:
        raise UsageError("service_address_malformed", text=text)
    path = parts.path.rstrip("/").removesuffix("/v1").rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"
