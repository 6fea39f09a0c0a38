"""Service dialog: this computer's own service, or another one with address and key, which is tested first.

A remote service with an ``http`` address gets the key only after the user has read a warning and has pressed
the button again; Enter does not count as agreement. Must not know where keys are kept.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLineEdit, QRadioButton, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.widgets.switch import Switch
from overpaint.gui.words.troubles import translated
from overpaint.wire.servers import KEY_MAX_CHARACTERS, Server, UseServer, is_unencrypted
from overpaint.wire.service import URL_MAX_CHARACTERS

WIDTH = 520


class ServiceDialog(QDialog):
    """Service dialog; stays open until the service has answered, or the user closes it.

    Args:
        theme: The theme.
        server: The service in use.
        parent: The window.
        for_prompt: Whether it is opened for a prompt that the service in use cannot do; it then says what
            could, and begins with the other service's address.
    """

    intended = Signal(object)

    def __init__(self, theme: Theme, server: Server, parent: QWidget, *, for_prompt: bool = False) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Service"))
        mark(self, role="dialog")
        self._server = server
        self._asked: int | None = None
        self._to_agree = False  # whether the user is being asked about an unencrypted address
        self.here = QRadioButton(self.tr("This computer"))
        self.there = QRadioButton(self.tr("Another service"))
        self.address = self._field(self.tr("Address"), "https://…")
        self.key = self._field(self.tr("API key"), self.tr("ovp_live_… (empty: the saved one)"))
        self.fall_back = Switch(theme)
        self.fall_back.setAccessibleName(self.tr("While it does not answer, restyle on this computer"))
        self.fall_back.setChecked(server.fall_back)
        self.address.setMaxLength(URL_MAX_CHARACTERS)
        self.key.setMaxLength(KEY_MAX_CHARACTERS)
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.says = text_label("value", wrap=True)
        self.cancel = ThemedButton(theme, text=self.tr("Cancel"))
        self.use = ThemedButton(theme, text=self.tr("Test and use"), role="primary")
        for button in (self.cancel, self.use):
            button.setAutoDefault(False)  # the fields handle Enter: see _enter
        self.reason = text_label("value", wrap=True)
        self.reason.setText(
            self.tr(
                "A service with a generative model may be able to do this. You need its address and a key, "
                "both from whoever runs it. Overpaint's own service cannot, on another computer either."
            )
        )
        self.reason.setVisible(for_prompt)
        self._lay_out()
        self.here.toggled.connect(self._show_choice)
        self.cancel.clicked.connect(self.reject)
        self.use.clicked.connect(self._use)
        for field in (self.address, self.key):
            field.returnPressed.connect(self._enter)
            field.textChanged.connect(self._show_choice)
        self.address.textChanged.connect(self._ask_nothing)
        self.there.setChecked(for_prompt or bool(server.address))
        self.here.setChecked(not self.there.isChecked())
        self.address.setText(server.address)
        if is_unencrypted(server.address):
            self._say(self.tr("The connection to this service is not encrypted."), "warn")
        self._show_choice()
        self.setFixedWidth(WIDTH)
        if for_prompt:
            self.address.setFocus()

    def _field(self, name: str, hint: str) -> QLineEdit:
        field = QLineEdit()
        mark(field, role="search")
        field.setAccessibleName(name)
        field.setPlaceholderText(hint)
        return field

    def _lay_out(self) -> None:
        fields = QGridLayout()
        fields.setContentsMargins(26, 0, 0, 0)
        fields.setHorizontalSpacing(12)
        fields.setVerticalSpacing(8)
        for row, field in enumerate((self.address, self.key)):
            name = text_label("muted", field.accessibleName())
            name.setBuddy(field)
            fields.addWidget(name, row, 0)
            fields.addWidget(field, row, 1)
        words = text_label("value", self.fall_back.accessibleName(), wrap=True)
        words.setBuddy(self.fall_back)
        fields.addWidget(self.fall_back, 2, 0)
        fields.addWidget(words, 2, 1)
        foot = QHBoxLayout()
        foot.setSpacing(10)
        foot.addStretch(1)
        foot.addWidget(self.cancel)
        foot.addWidget(self.use)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 18)
        layout.setSpacing(10)
        layout.addWidget(text_label("title", self.tr("Where should pictures be restyled?")))
        layout.addWidget(self.reason)
        layout.addWidget(self.here)
        own = self.tr("Works without an account and without the internet. Nothing leaves this computer.")
        layout.addWidget(self._note(own))
        layout.addWidget(self.there)
        layout.addLayout(fields)
        other = self.tr("Your picture is sent there. The key is kept in your system's keyring, nowhere else.")
        layout.addWidget(self._note(other))
        layout.addSpacing(4)
        layout.addWidget(self.says)
        layout.addLayout(foot)

    def _note(self, text: str) -> QWidget:
        note = text_label("small", text, wrap=True)
        note.setContentsMargins(26, 0, 0, 6)
        return note

    def show_server(self, server: Server) -> None:
        """Shows the result of the test; closes if the service is in use and there is nothing to tell."""
        self._server = server
        answered = self._asked is not None and server.wish > self._asked and not server.testing
        if answered:
            self._asked = None
            trouble = translated(server.trouble) if server.trouble is not None else None
            if trouble is None and not server.key_forgotten:
                self.accept()
                return
            if trouble is not None and trouble.kind == "not_encrypted":
                self._to_agree = True
                self._say(
                    self.tr(
                        "This address is not encrypted (http). Everybody on the way, in the same Wi-Fi or "
                        "at your provider, can read your API key and see your picture. Use https:// if "
                        "the service has it; agree only if the whole way is yours."
                    ),
                    "bad",
                )
            elif trouble is not None:
                self._say(f"{trouble.sentence} {trouble.mend}".strip(), "bad")
            else:
                self._say(self.tr("Connected. There is no keyring: enter the key again next time."), "warn")
                self.cancel.setText(self.tr("Close"))
        self._show_choice()

    def _say(self, words: str, tone: str) -> None:
        self.says.setText(words)
        mark(self.says, tone=tone)
        self._make_room()

    def event(self, event: QEvent) -> bool:
        """Makes room also for what is polished or shown later than it was said."""
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self._make_room()
        return super().event(event)

    def _make_room(self) -> None:
        """Resizes the dialog to its text: Qt does not do so when a label's text becomes longer."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self.resize(WIDTH, layout.totalHeightForWidth(WIDTH))

    def _show_choice(self) -> None:
        waiting = self._asked is not None
        for field in (self.address, self.key, self.fall_back):
            field.setEnabled(self.there.isChecked() and not waiting)
        for choice in (self.here, self.there):
            choice.setEnabled(not waiting)
        self.use.setEnabled(not waiting and (self.here.isChecked() or bool(self.address.text().strip())))
        there = self.tr("Send it unencrypted") if self._to_agree else self.tr("Test and use")
        self.use.show_label(self.tr("Use this computer") if self.here.isChecked() else there)

    def _ask_nothing(self) -> None:
        """Withdraws the warning when the address changes: it was about another address."""
        if self._to_agree:
            self._to_agree = False
            self._say("", "")
            self._show_choice()

    def _enter(self) -> None:
        if not self._to_agree:
            self._use()

    def _use(self) -> None:
        if not self.use.isEnabled():
            return
        there = self.there.isChecked()
        agreed, self._to_agree = self._to_agree and there, False
        self._asked = self._server.wish
        self._say(self.tr("Asking the service…"), "")
        self._show_choice()
        self.intended.emit(
            UseServer(
                address=self.address.text().strip() if there else "",
                key=self.key.text() if there else "",
                fall_back=there and self.fall_back.isChecked(),
                allow_http=agreed,
            )
        )
