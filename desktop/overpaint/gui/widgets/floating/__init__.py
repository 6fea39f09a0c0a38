"""Cards that float over the picture and move nothing else."""
