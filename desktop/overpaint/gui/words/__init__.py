"""The wording of the window in its language: states, troubles, looks, transforms."""
