"""Sentences about access to a service: address, key, credits, and a service's own messages."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

_CHECK_THE_KEY = "Check the API key."
_CHECK_THE_ADDRESS = "Check the address, and that the service runs."
_ADD_CREDITS = "Add credits to the account."
_WAIT = "Wait a moment."
_TRY_LATER = "Try again later."
_STATUS = "{host} answered with status {status}."

SENTENCES = {
    "service_address_malformed": Sentence(
        "“{text}” is not the address of a service.", "Type it like https://example.org"
    ),
    "service_unreachable": Sentence("Nobody answers at {address}.", _CHECK_THE_ADDRESS),
    "service_too_slow": Sentence("{address} does not answer in time.", _CHECK_THE_ADDRESS),
    "service_is_another": Sentence("What answers at {host} is not an Overpaint service.", _CHECK_THE_ADDRESS),
    "service_certificate_untrusted": Sentence(
        "{host} shows a certificate that this computer does not trust ({reason}).",
        "Install the certificate of its authority, or name its file in SSL_CERT_FILE.",
    ),
    "api_key_malformed": Sentence("The API key has characters that no key has.", _CHECK_THE_KEY),
    # The service's own message.
    "service_refuses": Sentence("{sentence}", kind="{kind}"),
    "service_refuses_key": Sentence("{sentence}", _CHECK_THE_KEY, "{kind}"),
    "service_wants_credits": Sentence("{sentence}", _ADD_CREDITS, "{kind}"),
    "service_is_busy": Sentence("{sentence}", _WAIT, "{kind}"),
    "service_backend_failed": Sentence("{sentence}", _TRY_LATER, "{kind}"),
    # An answer of a gateway, or of a program that is not a service.
    "status_refuses": Sentence(_STATUS),
    "status_refuses_key": Sentence(_STATUS, _CHECK_THE_KEY),
    "status_wants_credits": Sentence(_STATUS, _ADD_CREDITS),
    "status_is_busy": Sentence(_STATUS, _WAIT),
    "status_backend_failed": Sentence(_STATUS, _TRY_LATER),
    "service_connection_lost": Sentence("The connection to the service was lost."),
    "service_engine_unavailable": Sentence("The service's engine is unavailable."),
    "session_secret_refused": Sentence("The session's secret is unknown to the service."),
    "session_time_over": Sentence("The session has expired.", kind="session_expired"),
    "session_was_closed": Sentence("The session was closed."),
    "offer_answer_unusable": Sentence("The service's answer to the offer is not WHIP or WHEP."),
}
