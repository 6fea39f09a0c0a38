"""Integration with the desktop: system tray icon, global hotkeys, autostart, single instance, diagnostics."""
