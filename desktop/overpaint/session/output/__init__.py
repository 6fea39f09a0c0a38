"""The outputs: frames routed under the hold policy to camera, recording, snapshots and preview."""
