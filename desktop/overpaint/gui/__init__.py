"""The window (GUI): a process of its own that shows snapshots of the live process and sends it intents.

``connection`` talks to the live process in its own threads and holds the newest snapshot; ``words`` turns
the snapshot into text in the user's language; ``panels``, ``dialogs`` and ``widgets`` show it; ``window``
composes them. Files, sockets and pictures are read only outside Qt's thread. Must not know sessions, engines
or devices.
"""
