"""The service's Python client: HTTP (``http``) and control socket (``control``).

Must not know frames, sources or windows.
"""

from overpaint.client.control import ControlSocket
from overpaint.client.http import ServiceClient

__all__ = ["ControlSocket", "ServiceClient"]
