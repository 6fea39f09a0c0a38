"""The service core: HTTP, control socket and media rooms; joins the engine with the ledger.

``service`` makes the application, ``server`` listens, ``core_process`` is the whole process. Below them, in
the order in which they import:
``routes``: HTTP routes. ``realtime``: live sessions, from the control socket to the media room.
``jobs``: pictures and clips, restyled by ``transforms``. ``hosts``: where frames are restyled.
``http``: what all routes share. Beside these: ``fetching`` (what callers name by URL), ``leases`` (which core
owns a session), ``data_backup``, ``configuration``.
What was sold is in the ledger, so that a core that is started again goes on with the sessions, jobs and
webhooks of the one before. Must not know the desktop side (``session``, ``client``, ``gui``).
"""
