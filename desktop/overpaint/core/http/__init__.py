"""HTTP parts that all routes share: callers, errors, rate limits, uploads, stored files, metrics, logs."""
