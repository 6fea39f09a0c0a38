"""The live session: from a source through the service to the outputs, for hours.

``live``: the live process, which composes the others. ``realtime``: a session of the service, renewed
before it ends. ``output``: the path of frames to camera, recording and preview. ``batch``: pictures and
clips. ``backend``: where the service is. Must not know windows (it answers messages) or looks (the service
has them).
"""
