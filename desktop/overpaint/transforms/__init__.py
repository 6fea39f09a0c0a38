"""Transforms: one picture or clip in, the restyled one out, in a process of lower priority.

Decoding what strangers send happens here and only here: in a worker process with limits, that has
neither network nor database. ``task`` says what is asked and answered, ``picture_transform`` and
``clip_transform`` do it, ``worker`` is the process, ``pool`` its owner. Must not know HTTP, jobs, credits or
sessions.
"""
