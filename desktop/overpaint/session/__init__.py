"""The live session: from a source through the service to the outputs, for hours.

``state`` is a pure state machine; ``runner`` performs its commands; ``connection`` is one session of
the service with its socket and its link; ``hub`` is the frames' way through the process; ``outputs``
are the threads that hand styled frames out; ``live`` puts them together for one process.
Must not know windows (it answers messages) nor looks (the service has them).
"""
