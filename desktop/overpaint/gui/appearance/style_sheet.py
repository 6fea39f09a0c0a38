"""Qt style sheet, generated from the design tokens. Knows selectors; must not know other colours."""

from __future__ import annotations

from overpaint.gui.appearance.tokens import Sizes, Tokens

OVERLAY = "rgba(12, 12, 14, 205)"
"""Background of controls on the picture, in light and dark themes."""


def style_sheet(tokens: Tokens, sizes: Sizes) -> str:
    """The application's Qt style sheet (QSS)."""
    return "\n".join(
        (_text(tokens, sizes), _buttons(tokens, sizes), _fields(tokens, sizes), _boxes(tokens, sizes))
    )


def _text(t: Tokens, s: Sizes) -> str:
    return f"""
QWidget {{ color: {t.text}; font-size: {s.body}px; }}
QLabel {{ background: transparent; }}
QLabel[role="brand"] {{ font-size: {s.body + 2}px; font-weight: 700; }}
QLabel[role="heading"] {{ font-weight: 700; }}
QLabel[role="title"] {{ font-size: {s.title}px; font-weight: 600; }}
QLabel[role="figure"] {{ font-size: {s.figure}px; font-weight: 700; }}
QLabel[role="muted"] {{ color: {t.muted}; }}
QLabel[role="small"] {{ color: {t.muted}; font-size: {s.small}px; }}
QLabel[role="value"] {{ font-size: {s.small}px; }}
QLabel[role="tag"] {{ background: {t.card}; border: 2px solid {t.card}; border-radius: 9px;
  padding: 0 7px; font-size: {s.small}px; font-weight: 700; }}
QLabel[role="code"] {{ font-family: monospace; font-size: {s.small}px; background: {t.field};
  border: 1px solid {t.line}; border-radius: 6px; padding: 6px 8px; }}
QLabel[tone="good"] {{ color: {t.good}; }}
QLabel[tone="warn"] {{ color: {t.warn}; }}
QLabel[tone="bad"] {{ color: {t.bad}; }}
QLabel[tone="air"] {{ color: {t.on_air}; }}
QLabel[role="stage-title"] {{ font-size: {s.title}px; font-weight: 600; color: {t.stage_text}; }}
QLabel[role="stage-text"] {{ color: {t.stage_muted}; }}
QToolTip {{ background: {t.card}; color: {t.text}; border: 1px solid {t.line}; padding: 4px 6px; }}
"""


def _buttons(t: Tokens, s: Sizes) -> str:
    return f"""
QPushButton {{ background: {t.card}; border: 2px solid {t.card}; border-radius: 8px;
  padding: 5px 11px; min-height: 20px; }}
QPushButton:hover {{ background: {t.hover}; border-color: {t.hover}; }}
QPushButton:pressed {{ background: {t.pressed}; border-color: {t.pressed}; }}
QPushButton:focus {{ border-color: {t.accent}; }}
QPushButton:checked {{ background: {t.hover}; border-color: {t.muted}; }}
QPushButton:checked:focus {{ border-color: {t.accent}; }}
QPushButton[role="overlay"] {{ background: {OVERLAY}; border-color: transparent; padding: 4px 5px; }}
QPushButton[role="overlay"]:checked, QPushButton[role="overlay"]:hover {{ border-color: #ffffff; }}
QPushButton[role="overlay"]:focus {{ border-color: {t.accent}; }}
QPushButton[role="icon"] {{ padding: 5px 6px; }}
QPushButton[role="primary"] {{ background: {t.accent}; border-color: {t.accent}; color: {t.on_accent};
  font-weight: 700; padding: 5px 16px; }}
QPushButton[role="primary"]:hover {{ background: {t.accent_hover}; border-color: {t.accent_hover}; }}
QPushButton[role="primary"]:focus {{ border-color: {t.text}; }}
QPushButton[role="air"] {{ border-color: {t.bad}; font-weight: 700; padding: 5px 16px; }}
QPushButton[role="air"]:focus {{ border-color: {t.accent}; }}
QPushButton[role="danger"] {{ border-color: {t.bad}; color: {t.bad}; }}
QPushButton[role="danger"]:focus {{ border-color: {t.accent}; }}
QPushButton[role="strong"] {{ font-weight: 700; padding: 5px 16px; }}
QPushButton[role="link"] {{ background: transparent; border-color: transparent; color: {t.text};
  padding: 3px 8px; font-size: {s.small}px; border-radius: 6px; }}
QPushButton[role="link"]:hover {{ background: {t.hover}; }}
QPushButton[role="link"]:checked {{ background: {t.hover}; border-color: {t.muted}; }}
QPushButton[role="link"]:focus {{ border-color: {t.accent}; }}
QPushButton[role="fold"] {{ background: transparent; border-color: transparent; font-weight: 700;
  padding: 3px 6px 3px 0px; text-align: left; border-radius: 6px; }}
QPushButton[role="fold"]:focus {{ border-color: {t.accent}; }}
QPushButton[role="tag"] {{ padding: 0 6px; min-height: 14px; border-radius: 9px; font-size: {s.small}px; }}
QPushButton[role="small"] {{ padding: 1px 8px; font-size: {s.small}px; text-align: left; }}
QPushButton[role="chooser"] {{ text-align: left; }}
QPushButton[on="true"] {{ color: {t.bad}; border-color: {t.bad}; }}
/* Last, and with each role, whose own colours would win over it. */
QPushButton:disabled, QPushButton[role]:disabled {{ color: {t.muted}; background: {t.panel};
  border-color: {t.panel}; }}
QPushButton[role="primary"]:disabled {{ background: {t.card}; border-color: {t.line}; }}
QPushButton[role="overlay"]:disabled {{ background: {OVERLAY}; border-color: transparent; }}
QPushButton[role="link"]:disabled, QPushButton[role="fold"]:disabled {{ background: transparent;
  border-color: transparent; }}
"""


def _fields(t: Tokens, s: Sizes) -> str:
    return f"""
QLineEdit {{ background: transparent; border: none; padding: 4px 2px; font-size: {s.body + 1}px;
  selection-background-color: {t.accent}; selection-color: {t.on_accent}; }}
QLineEdit[role="search"] {{ background: {t.field}; border: 1px solid {t.line}; border-radius: 8px;
  padding: 5px 8px; font-size: {s.body}px; }}
QLineEdit[role="search"]:focus {{ border-color: {t.accent}; }}
QLineEdit:disabled {{ color: {t.muted}; }}
QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {t.line}; }}
QSlider::sub-page:horizontal {{ height: 4px; border-radius: 2px; background: {t.accent}; }}
QSlider::handle:horizontal {{ width: 12px; height: 12px; margin: -6px 0; border-radius: 8px;
  background: {t.text}; border: 2px solid {t.field}; }}
QSlider::handle:horizontal:hover {{ background: {t.accent}; }}
QSlider::handle:horizontal:focus {{ border-color: {t.accent}; }}
QSlider::handle:horizontal:disabled, QSlider::sub-page:horizontal:disabled {{ background: {t.muted}; }}
QComboBox, QKeySequenceEdit QLineEdit {{ background: {t.card}; border: 2px solid {t.card}; border-radius: 8px;
  padding: 4px 10px; min-height: 20px; font-size: {s.body}px; }}
QComboBox:hover {{ background: {t.hover}; border-color: {t.hover}; }}
QComboBox:focus, QKeySequenceEdit QLineEdit:focus {{ border-color: {t.accent}; }}
QComboBox::drop-down {{ border: none; width: 22px; }}
QComboBox QAbstractItemView {{ background: {t.panel}; border: 1px solid {t.line}; padding: 4px;
  selection-background-color: {t.hover}; selection-color: {t.text}; outline: none; }}
QCheckBox {{ spacing: 0; padding: 2px; border: 2px solid transparent; border-radius: 8px; }}
QCheckBox:focus {{ border-color: {t.accent}; }}
QRadioButton {{ spacing: 8px; padding: 3px 4px; border: 2px solid transparent; border-radius: 8px; }}
QRadioButton:focus {{ border-color: {t.accent}; }}
QRadioButton:disabled {{ color: {t.muted}; }}
QRadioButton::indicator {{ width: 14px; height: 14px; border: 2px solid {t.muted}; border-radius: 9px;
  background: {t.field}; }}
QRadioButton::indicator:checked {{ width: 8px; height: 8px; border: 5px solid {t.accent};
  background: {t.on_accent}; }}
QMenu {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 8px; padding: 6px; }}
QMenu::item {{ padding: 6px 26px 6px 8px; border-radius: 6px; }}
QMenu::item:selected {{ background: {t.hover}; }}
QMenu::item:checked {{ font-weight: 700; }}
QMenu::item:disabled {{ color: {t.muted}; font-size: {s.small}px; }}
QMenu::icon {{ padding-left: 8px; }}
QMenu::separator {{ height: 1px; background: {t.line}; margin: 6px 4px; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {t.line}; border-radius: 3px; margin: 2px;
  min-width: 30px; min-height: 30px; }}
QScrollBar::handle:hover {{ background: {t.muted}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def _boxes(t: Tokens, s: Sizes) -> str:
    return f"""
QMainWindow, QDialog {{ background: {t.window}; }}
QWidget[role="bar"] {{ background: {t.bar}; border-bottom: 1px solid {t.line}; }}
QWidget[role="side"], QScrollArea[role="side"] {{ background: {t.panel}; border: none; }}
QWidget[role="side-edge"] {{ background: {t.panel}; border-left: 1px solid {t.line}; }}
QWidget[role="side-edge"][below="true"] {{ border-left: none; border-top: 1px solid {t.line}; }}
QWidget[role="page"], QScrollArea[role="page"] {{ background: {t.window}; border: none; }}
QFrame[role="card"] {{ background: {t.card}; border-radius: 12px; }}
QFrame[role="chip"] {{ background: {t.card}; border-radius: 10px; }}
QFrame[role="chip"][tone="air"] {{ background: {t.air}; }}
QFrame[role="prompt"] {{ background: {t.field}; border: 1px solid {t.line}; border-radius: 12px; }}
QFrame[role="prompt"][focused="true"] {{ border-color: {t.accent}; }}
QFrame[role="prompt"][dropping="true"] {{ border: 2px solid {t.accent}; }}
QFrame[role="notice"] {{ background: {t.card}; border-radius: 10px; border-left: 4px solid {t.warn}; }}
QFrame[role="notice"][tone="good"] {{ border-left-color: {t.good}; }}
QDialog[role="dialog"] {{ border: 1px solid {t.line}; }}
QProgressBar {{ background: {t.field}; border: none; border-radius: 3px; min-height: 6px; max-height: 6px; }}
QProgressBar::chunk {{ background: {t.accent}; border-radius: 3px; }}
QFrame[role="photo"] {{ background: {t.card}; border-radius: 8px; }}
QFrame[role="popup"] {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 10px; }}
QFrame[role="gallery"] {{ background: {t.panel}; border-radius: 12px; }}
QFrame[role="drop"] {{ border: 1px dashed {t.line}; border-radius: 12px; }}
QFrame[role="drop"][dropping="true"] {{ border: 2px dashed {t.accent}; background: {t.card}; }}
QTableView[role="charges"] {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 10px;
  outline: none; padding: 4px; selection-background-color: {t.hover}; selection-color: {t.text}; }}
QTableView[role="charges"]::item {{ padding: 4px 8px; border: none; }}
QListView[role="saved"] {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 10px;
  outline: none; padding: 4px; }}
QListView[role="saved"]::item {{ border: 2px solid transparent; border-radius: 8px; padding: 4px; }}
QListView[role="saved"]::item:selected {{ background: {t.hover}; border-color: {t.accent}; color: {t.text}; }}
QHeaderView, QHeaderView::section {{ background: {t.panel}; color: {t.muted}; border: none;
  padding: 4px 8px; font-size: {s.small}px; }}
QListWidget[role="looks"]::item {{ border-radius: 10px; border: 2px solid transparent; padding: 2px; }}
QListWidget[role="looks"]::item:hover {{ background: {t.hover}; color: {t.text}; }}
QListWidget[role="looks"]::item:selected {{ background: {t.hover}; border-color: {t.accent};
  color: {t.text}; }}
QListView[role="looks"], QListView[role="transforms"] {{ background: transparent; border: none;
  outline: none; }}
"""
