"""Message schemas (pydantic models) for all communication between processes. No I/O, no behaviour.

``service``: the published HTTP API. ``control``: its control socket (WebSocket).
``live``: messages between the window and the live process on one machine.
"""
