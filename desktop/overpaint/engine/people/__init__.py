"""People in a picture: person segmentation and face detection."""
