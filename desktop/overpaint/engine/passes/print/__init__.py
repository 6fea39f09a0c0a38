"""Passes of print: screens, lino, cut paper, and the paper below."""
