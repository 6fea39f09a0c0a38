"""The realtime session: a pure state machine, its runner, connections, purchases, monitors."""
