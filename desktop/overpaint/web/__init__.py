"""HTTP that both the service and the live process speak: rooms (WHIP, WHEP), bodies, refusals, pages.

Knows Starlette and FastAPI; must not know sessions, ledgers or who listens where.
"""
