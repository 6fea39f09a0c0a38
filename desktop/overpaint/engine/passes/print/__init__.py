"""Passes of print: halftone, screentone, linocut, paper cut-outs, paper texture, film grain."""
