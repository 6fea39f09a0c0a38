"""The outputs: frames routed to camera, page, recording, snapshots and preview, under the hold policy."""
