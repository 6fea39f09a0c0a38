"""Texts for transforms: state, cost, skipped files. Must not know widgets."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject

from overpaint.gui.words.numbers import number
from overpaint.gui.words.troubles import translated
from overpaint.wire.service import PRICES
from overpaint.wire.transforms import RunningTransform, Skipped, TransformItem

PICTURE_PRICE, CLIP_PRICE = PRICES["service-image-v1"], PRICES["service-video-v1"]


class TransformWords(QObject):
    """Texts for transforms.

    Attributes:
        free: Whether orders cost nothing, because this computer's own service is chosen: then no text has
            a price.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.free = False

    def name(self, item: TransformItem) -> str:
        """The name of an item: its file's name."""
        return Path(item.source).name

    def status(self, item: TransformItem, run: RunningTransform | None, place: int) -> str:
        """The status line of an item."""
        match item.state:
            case "ready":
                if self.free:
                    return self.tr("ready")
                return self.tr("ready · {}").format(self.credits(item.price))
            case "waiting":
                return (
                    self.tr("next in the queue") if place == 1 else self.tr("{}. in the queue").format(place)
                )
            case "working":
                return self._working(run)
            case "done":
                return self.tr("done · {}").format(item.prompt)
            case "failed":
                reason = translated(item.trouble).sentence.rstrip(".") if item.trouble is not None else ""
                return " · ".join(filter(None, (self.tr("failed"), reason, self._cost(item))))
            case "cancelled":
                return " · ".join(filter(None, (self.tr("cancelled"), self._cost(item))))
            case "interrupted":
                return self.tr("interrupted · try it again?")

    def _working(self, run: RunningTransform | None) -> str:
        if run is None:
            return self.tr("starting…")
        if run.stage == "uploading":
            return self.tr("sending…")
        if run.stage == "saving":
            return self.tr("saving…")
        if run.part is None:
            return self.tr("restyling…")
        words = self.tr("{} %").format(int(run.part * 100))
        if run.seconds_left is not None:
            words += " · " + self._left(run.seconds_left)
        return words

    def _left(self, seconds: int) -> str:
        if seconds < 90:
            return self.tr("{} s left").format(max(1, seconds))
        return self.tr("{} min left").format(round(seconds / 60))

    def _cost(self, item: TransformItem) -> str:
        if self.free and not item.charged:
            return ""
        if item.charged is None:
            return self.tr("may have been charged")
        if item.charged == 0:
            return self.tr("cost nothing")
        return self.tr("{} charged").format(number(item.charged))

    def details(self, item: TransformItem, status: str) -> str:
        """The tool tip of an item: path, status, error, cost."""
        lines = [item.source, status]
        if item.trouble is not None:
            trouble = translated(item.trouble)
            lines += [trouble.sentence, trouble.mend]
        if item.state == "interrupted" and self.free:
            lines.append(
                self.tr("Overpaint ended while this was under way, too long ago to ask for it again.")
            )
        elif item.state == "interrupted":
            lines.append(
                self.tr(
                    "Overpaint ended while this was under way, too long ago to ask for it again. It may have "
                    "been charged; trying again costs {}."
                ).format(self.credits(item.price))
            )
        if item.state == "cancelled" and item.charged:
            lines.append(self.tr("The service had begun. Try again to fetch the result at no further cost."))
        if item.state == "done":
            lines.append(self.tr("Saved as {}").format(item.result))
            if item.charged:
                lines.append(self.credits(item.charged))
        return "\n".join(line for line in lines if line)

    def ended(self, item: TransformItem) -> tuple[str, str]:
        """What became of an item without a result: a title, and why, what helps and what it cost."""
        title = {
            "failed": self.tr("{} was not restyled"),
            "cancelled": self.tr("{} was cancelled"),
        }.get(item.state, self.tr("{} was interrupted"))
        lines = self.details(item, "").splitlines()[1:]
        cost = self._cost(item)
        if cost and item.state != "interrupted":
            lines.append(f"{cost[:1].upper()}{cost[1:]}.")
        return title.format(self.name(item)), " ".join(lines)

    def credits(self, amount: int) -> str:
        """An amount with its unit."""
        return self.tr("1 credit") if amount == 1 else self.tr("{} credits").format(number(amount))

    def amount(self, items: list[TransformItem]) -> str:
        """The number of pictures and clips ("12 pictures, 1 clip")."""
        clips = sum(item.kind == "video" for item in items)
        pictures = len(items) - clips
        parts = []
        if pictures:
            parts.append(
                self.tr("1 picture") if pictures == 1 else self.tr("{} pictures").format(number(pictures))
            )
        if clips:
            parts.append(self.tr("1 clip") if clips == 1 else self.tr("{} clips").format(number(clips)))
        return ", ".join(parts)

    def order(self, count: int, price: int) -> str:
        """The label of the order button, with the price where there is one."""
        if self.free:
            return self.tr("Restyle") if count == 1 else self.tr("Restyle {}").format(number(count))
        if count == 1:
            return self.tr("Restyle for {}").format(self.credits(price))
        return self.tr("Restyle {} for {}").format(number(count), self.credits(price))

    def cancelling(self, begun: list[TransformItem], kept: int, other: list[TransformItem]) -> str:
        """The price of cancelling: the credits that are kept for begun items, and what is not charged."""
        text = self.tr(
            "The service has begun {}: its price, {}, is kept, and the result can be fetched later."
        )
        if len(begun) > 1:
            text = self.tr("The service has begun {}: {} are kept, and the results can be fetched later.")
        text = text.format(self.amount(begun), self.credits(kept))
        if other:
            text += " " + self.tr("Nothing is charged for {} that it has not begun.").format(
                self.amount(other)
            )
        return text

    def went_on(self, name: str) -> str:
        """The notice that a cancelled item continues, because the service had begun it."""
        return self.tr(
            "{} goes on: the service had begun it. Cancel it once more to be asked about its price."
        ).format(name)

    def invitation(self) -> str:
        """What is said where files are dropped, with the prices of a picture and of a clip."""
        words = self.tr("Drop pictures, clips or folders\nhere or paste them")
        return words if self.free else f"{words}\n{self._prices()}"

    def _prices(self) -> str:
        return self.tr("{} credits a picture, {} a clip").format(PICTURE_PRICE, CLIP_PRICE)

    def skipped(self, skipped: Skipped) -> str:
        """The notice about skipped files, with the reasons."""
        parts = []
        if skipped.unfit == 1:
            parts.append(self.tr("{} is neither a picture nor a clip.").format(skipped.example))
        elif skipped.unfit:
            parts.append(
                self.tr("{} files are neither pictures nor clips ({}, …).").format(
                    number(skipped.unfit), skipped.example
                )
            )
        if skipped.empty == 1:
            parts.append(self.tr("{} is empty: it has no content.").format(skipped.empty_example))
        elif skipped.empty:
            words = self.tr("{} files are empty: they have no content ({}, …).")
            parts.append(words.format(number(skipped.empty), skipped.empty_example))
        if skipped.known:
            parts.append(self.tr("{} were on the list already.").format(number(skipped.known)))
        if skipped.beyond:
            parts.append(
                self.tr("{} more did not fit: {} at a time.").format(
                    number(skipped.beyond), number(skipped.limit)
                )
            )
        if skipped.unreadable:
            parts.append(self.tr("{} folders may not be read.").format(number(skipped.unreadable)))
        return " ".join([self.tr("Left out:"), *parts]) if parts else ""
