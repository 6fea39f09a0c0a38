"""The service core: HTTP, control socket and media rooms; joins the engine with the ledger.

``service`` makes the application, ``serving`` listens, ``embedded`` is the whole process. Below them:
``api`` (HTTP), ``control`` (the socket), ``sessions`` (what lives between the two), ``hosting`` and
``stream`` (where a session's frames are restyled), ``rooms`` (how frames get here).

Jobs, files, webhooks and rate limits come with issue 3: job workers beside ``hosting``, their routes
beside ``api``. Every stream gets a thread at once; a host with fewer places than sessions is what
``queue_position`` (``wire.control``) is for. A restarted core knows no session of the one before, but a
repeated order (``Idempotency-Key``) opens again what was paid for. Must not know the
desktop side (``session``, ``client``, ``gui``).
"""
