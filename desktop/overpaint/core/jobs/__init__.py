"""Transform jobs of the service: admission, inputs, the job queue, webhooks."""
