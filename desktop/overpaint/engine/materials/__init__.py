"""Materials: papers, grains, screens and layouts, made once for a size and kept on a shelf."""
