"""Updates are told, never forced: the newest release is asked for once a day, if the user agreed.

Nothing is downloaded or installed. Must not know windows, sessions or accounts.
"""
