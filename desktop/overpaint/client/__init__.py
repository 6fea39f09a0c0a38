"""The service's Python client: HTTP (``http``) and control socket (``control``).

``transport`` makes the requests, ``file_transfers`` sends files up and down. Must not know frames,
sources or windows.
"""

from overpaint.client import slim_httpx  # before the first that imports httpx
from overpaint.client.control import ControlSocket
from overpaint.client.http import JobProgress, Restyled, ServiceClient
from overpaint.client.transport import Retries

__all__ = ["ControlSocket", "JobProgress", "Restyled", "Retries", "ServiceClient", "slim_httpx"]
