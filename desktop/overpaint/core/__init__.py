"""The service core: HTTP, control socket and media rooms; joins the engine with the ledger.

``service`` makes the application, ``server`` listens, ``core_process`` is the whole process. Below them, in
the order in which they import:
``routes``: HTTP routes. ``realtime``: live sessions, with control socket, media room and billing.
``jobs``: pictures and clips, restyled by ``transforms``. ``hosts``: where frames are restyled.
``http``: what all routes share. Beside these: ``fetching`` (safe downloads from callers' URLs), ``leases``
(the desktop processes that use the core), ``data_backup``, ``configuration``.
All sales are in the ledger, so that a restarted core resumes the sessions, jobs and webhooks of the former
one. Must not know the desktop side (``session``, ``client``, ``gui``).
"""
