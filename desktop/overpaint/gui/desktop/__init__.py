"""The desktop around the window: tray, global hotkeys, autostart, the single window, diagnostics."""
