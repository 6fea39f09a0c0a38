"""Passes of place (compositing): person and background separated, virtual background, background blur."""
