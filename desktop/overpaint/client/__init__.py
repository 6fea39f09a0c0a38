"""The Python client of the service: HTTP API (``http``) and control socket (``control``).

``transport`` makes requests and retries them, ``file_transfers`` is for uploads and downloads. Must not know
frames, sources or windows.
"""

from overpaint.client import slim_httpx  # before the first that imports httpx
from overpaint.client.control import ControlSocket
from overpaint.client.http import JobProgress, Restyled, ServiceClient
from overpaint.client.transport import Retries

__all__ = ["ControlSocket", "JobProgress", "Restyled", "Retries", "ServiceClient", "slim_httpx"]
