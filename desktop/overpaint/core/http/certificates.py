"""TLS of the public port: a certificate and its key, read once at the start.

Must not know sockets or HTTP.
"""

from __future__ import annotations

import ssl
from pathlib import Path

from overpaint.errors import ProcessError


def tls_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Makes the TLS context of a port, for TLS 1.2 and newer.

    Args:
        certificate: PEM file of the chain, the server's own certificate first.
        key: PEM file of its private key, without a password.

    Raises:
        ProcessError: ``start_failed``: a file is missing, unreadable or no PEM, or they do not match.
    """
    for path, option in ((certificate, "--tls-certificate"), (key, "--tls-key")):
        try:
            with path.open("rb"):
                pass
        except OSError as error:
            raise ProcessError(
                "certificate_file_unreadable", path=str(path), reason=str(error.strerror), option=option
            ) from error
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        # Without this callback, OpenSSL would ask for a key's password on the terminal.
        context.load_cert_chain(certificate, key, password=lambda: "")
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise ProcessError(
                "certificate_key_mismatch", key=key.name, certificate=certificate.name
            ) from error
        raise ProcessError("certificate_unusable", certificate=certificate.name, key=key.name) from error
    return context
