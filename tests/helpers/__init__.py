"""Real input for tests, and scripted fakes for the edges of the machine."""
