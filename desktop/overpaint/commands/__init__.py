"""Groups of commands, one module each; ``cli`` puts them together.

Words in, one call, words out, as there. Every heavy import stands inside its command.
"""
