"""People in a picture: the mask of the person and the place of the face."""
