"""The appearance of the window: design tokens, the theme, the style sheet made of both."""
