"""Inputs of sound: microphones, and what the computer plays. They fill a sound track.

``sound_choice`` says which one this system has. On Linux it is PulseAudio's client library (``pulse_input``),
which PipeWire serves, too; else QtMultimedia (``qt_microphone``). Must not know recordings.
"""
