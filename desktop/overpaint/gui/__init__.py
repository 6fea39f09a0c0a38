"""The window: a process of its own that paints and sends intents, and nothing else.

``bridge`` and ``preview`` talk to the live process in threads of their own; ``models`` hold what it
said; ``wording`` puts that into words; ``panels`` and ``widgets`` show it; ``window`` composes them.
No file, socket or picture is ever read on Qt's thread. Must not know sessions, engines or devices.
"""
