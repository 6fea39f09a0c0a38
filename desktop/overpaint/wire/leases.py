"""The invalidation message on a core's lease: the books have changed, so request the balance again.

Plain bytes, the same in both directions. The core sends it to its lease holders; a process that changed
the books itself (``overpaint credits add``) sends it to the core.
"""

from __future__ import annotations

BOOKS_CHANGED = b'{"type":"books_changed"}'
