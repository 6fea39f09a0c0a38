"""HTTP server parts that service and live process share: WHIP and WHEP, connection limits, errors, pages.

Knows Starlette and FastAPI; must not know sessions, ledgers or which process listens.
"""
