"""WebRTC: both ends of a media room over aiortc, tuned for one live 1080p picture."""
