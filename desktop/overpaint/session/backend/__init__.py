"""The backend: where the service is, on this computer or remote, and how it is reached."""
