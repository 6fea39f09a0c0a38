"""Prompt understanding: free text to a look, its changes and where they apply."""
