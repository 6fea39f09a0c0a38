"""TLS of the public port: a certificate and its key, read once at the start.

Must not know sockets or HTTP.
"""

from __future__ import annotations

import ssl
from pathlib import Path

from overpaint.errors import ProcessError


def tls_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """What a port needs to speak TLS 1.2 and newer.

    Args:
        certificate: PEM file of the chain, the server's own certificate first.
        key: PEM file of its private key, without a password.

    Raises:
        ProcessError: ``start_failed``: a file is missing or unreadable, is no PEM, or they do not fit.
    """
    for path, option in ((certificate, "--tls-certificate"), (key, "--tls-key")):
        try:
            with path.open("rb"):
                pass
        except OSError as error:
            raise ProcessError(
                f"{path} cannot be read: {error.strerror}.", mend=f"Name another file with {option}."
            ) from error
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        # Without an answer of ours, a key with a password would ask for it on the terminal.
        context.load_cert_chain(certificate, key, password=lambda: "")
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise ProcessError(
                f"{key.name} is not the key of {certificate.name}.",
                mend="Name the pair that belongs together.",
            ) from error
        raise ProcessError(
            f"{certificate.name} and {key.name} cannot be used for TLS.",
            mend="Give a certificate chain and a private key without a password, both as PEM.",
        ) from error
    return context
