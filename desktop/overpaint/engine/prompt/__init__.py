"""Prompt understanding (natural-language parsing): free text to a look, its modifiers and its regions."""
