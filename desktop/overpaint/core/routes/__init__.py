"""HTTP routes of the service: account and sessions, transforms, studio, OpenAPI document."""
