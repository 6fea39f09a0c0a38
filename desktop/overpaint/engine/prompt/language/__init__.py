"""Language of prompts: words in every language, and their meanings.

Must not know looks, nor what a prompt asks for.
"""
