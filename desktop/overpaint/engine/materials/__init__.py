"""Materials (procedural textures): papers, grains, screens and layouts, made once for a size and cached."""
