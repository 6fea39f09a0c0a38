"""Messages on a lease of the core, beside its grant: plain bytes, the same in both directions.

From the core: the books have changed, so a balance that was asked for earlier may be wrong. To the core:
the same, from a process that changed them beside it (``overpaint credits add``).
"""

from __future__ import annotations

BOOKS_CHANGED = b'{"type":"books_changed"}'
