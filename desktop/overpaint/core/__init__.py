"""The service core: HTTP, control socket and media rooms; joins the engine with the ledger.

``service`` makes the application, ``serving`` listens, ``embedded`` is the whole process. Below them:
``api`` and ``transforms_api`` (HTTP), ``control`` (the socket), ``sessions`` (what lives between the two),
``hosting`` and ``stream`` (where a session's frames are restyled), ``rooms`` (how frames get here), ``jobs``
(pictures and clips, run by ``transforms``), ``files``, ``inputs`` and ``photos`` (what callers send),
``fetching`` (what they name), ``webhooks`` (who is told). What was sold is in the ledger, so that a core that
is started again goes on with the sessions, jobs and webhooks of the one before. Must not know the desktop
side (``session``, ``client``, ``gui``).
"""
