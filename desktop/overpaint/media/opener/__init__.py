"""The one opener of untrusted pictures and clips.

``recognition``: the type of a file, by its content, never by its name.
``bounded_reader``: bounded reading of a regular file; never of a FIFO or a device.
``stills``: a picture file decoded by the one decoder of its format (Pillow).
``clips``: a clip opened by the one demuxer of its format, which can open nothing else (FFmpeg).
``decoder``: client of a sandboxed decoder process, for the window, the live process and the command line.
``decoder_process``: the decoder process.
``shipped``: the application's own pictures.

No other module of the application calls Pillow, FFmpeg or OpenCV to read a file: a test checks that.
Must not know windows, sessions or jobs.
"""
