"""Messages and resources that two processes speak, as pydantic models. No I/O, no behaviour.

``service``: the published interface over HTTP. ``control``: its control socket.
``live``: what the window and the live process say to each other on one machine.
"""
