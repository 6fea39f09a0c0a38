"""Transforms: picture and clip files restyled in a pool of sandboxed worker processes of low priority.

The service decodes files from clients only here, in workers with limits of memory and time, without network
or database. ``task`` has the interface and its results, ``picture_transform`` and ``clip_transform`` do the
work, ``worker`` is the process and ``pool`` its owner. Must not know HTTP, jobs, credits or sessions.
"""
