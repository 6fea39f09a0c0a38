"""The sentences of errors that the window can show, written out as a module that lupdate can read."""

from __future__ import annotations

import json
import re
import sys

from overpaint.sentences import SHOWN_IN_WINDOW


def main() -> None:
    """Writes each text and each mend once, in the order of the catalogue."""
    texts = dict.fromkeys(text for entry in SHOWN_IN_WINDOW.values() for text in (entry.text, entry.mend))
    for text in texts:
        if not re.search(r"\w", re.sub(r"{.*?}", "", text)):
            continue  # another program's words alone
        sys.stdout.write(f'QT_TRANSLATE_NOOP("Trouble", {json.dumps(text, ensure_ascii=False)})\n')


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    main()
