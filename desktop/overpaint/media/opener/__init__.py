"""The one opener of pictures and clips that strangers made.

``recognition``: what a file is, told by its content, never by its name.
``bounded_reader``: a regular file opened for reading, within a bound; a FIFO or a device never is.
``stills``: a picture file decoded by the one decoder of its format (Pillow).
``clips``: a clip opened by the one demuxer of its format, which can open nothing else (FFmpeg).
``decoder``: decodes in a sandboxed process; for the window, the live process and the command line.
``decoder_process``: that process.
``shipped``: the application's own pictures.

No other module of the application calls Pillow, FFmpeg or OpenCV to read a file: a test holds that.
Must not know windows, sessions or jobs.
"""
