"""The batch queue: pictures and clips sent to the service as jobs, their history and charges."""
