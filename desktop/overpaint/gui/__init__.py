"""The window: a process of its own that paints and sends intents, and nothing else.

``connection`` talks to the live process in threads of its own and holds the newest snapshot; ``words``
says it in the user's language; ``panels``, ``dialogs`` and ``widgets`` show it; ``window`` composes them.
No file, socket or picture is ever read on Qt's thread. Must not know sessions, engines or devices.
"""
