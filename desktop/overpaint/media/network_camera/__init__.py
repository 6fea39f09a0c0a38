"""Network cameras (IP cameras, phones with a camera app): connection, protocols, decoding, in a sandbox.

``camera_address``: addresses, with and without their secrets.
``camera_connection``: the connection to the camera, the only one that its process has.
``digest``: HTTP authentication, as RTSP uses it too.
``rtsp``: RTSP over TCP, with the RTP packets inside. ``rtp_payloads``: pictures put together from them,
``rtp_jpeg``: those that are JPEG.
``mjpeg``: JPEG pictures over HTTP.
``newest_pictures``: the bounded queue between network and decoder.
``player``: the process that plays a camera for the live process.

A camera is as untrusted as a file: all that it sends is parsed and decoded in the sandboxed process. Must not
know sources or sessions.
"""
