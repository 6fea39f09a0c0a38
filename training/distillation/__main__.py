"""The command line: ``python -m distillation train | export | styles | report``. Knows folders, no nets."""

import argparse
import logging
import os
import shutil
from pathlib import Path

import torch

from distillation.export import export
from distillation.losses import Texture
from distillation.painters import write_styles
from distillation.pictures import Gallery
from distillation.pool import Filling, Pool
from distillation.report import report
from distillation.trainer import Trainer

_HERE = Path(__file__).resolve().parents[1]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="distillation", description=__doc__)
    parser.add_argument("task", choices=("train", "export", "styles", "report"))
    shared = _HERE.parent.parent / "shared"
    add = parser.add_argument
    add(
        "--photos",
        type=Path,
        default=shared / "training" / "photos",
        help="frames and references to learn from",
    )
    add("--paintings", type=Path, default=shared / "training" / "paintings", help="references to learn from")
    add(
        "--teacher",
        type=Path,
        default=shared / "models" / "microast",
        help="folder of style.onnx, stylize.onnx",
    )
    add(
        "--features",
        type=Path,
        default=shared / "models" / "perceptual" / "sqz_notop.mat",
        help="SqueezeNet 1.1",
    )
    add(
        "--work",
        type=Path,
        default=_HERE / ".work",
        help="pool and checkpoint; a run killed goes on from here",
    )
    add(
        "--out",
        type=Path,
        default=_HERE.parent / "resources" / "models",
        help="folder the nets are exported to; the styles go to styles/ beside it",
    )
    add("--shown", type=Path, nargs="*", default=[], help="unseen paintings for the contact sheet")
    add("--minutes", type=float, default=60.0, help="budget, the minutes before a resume counted in")
    add("--until", type=float, default=1.0, help="stop after this share of the budget")
    add("--slots", type=int, default=10_000, help="answers of the teacher to keep, 0.6 MB each")
    add("--side", type=int, default=256, choices=(128, 256), help="side of frames; small ones first is quick")
    add("--texture", type=float, default=0.02, help="weight of the style loss")
    add(
        "--threads",
        type=int,
        default=1,
        help="threads of the training itself; a second process asks the teacher",
    )
    add("--eager", action="store_true", help="do not compile the step (twice as slow on a CPU)")
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    add("--resume", action="store_true", help="go on from the checkpoint in the work folder")
    return parser


def main() -> None:
    """Run one task."""
    options = _parser().parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(options.threads)
    device = torch.device(options.device)
    gallery = Gallery.of(options.photos, options.paintings)
    compiled = not options.eager and (device.type != "cpu" or shutil.which("c++") is not None)
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(options.work / "compiled"))
    trainer = Trainer(options.work, Texture(options.features), device, options.texture, compiled)
    if options.task == "train":
        pool = Pool(options.work / "pool", options.slots, options.side)
        filling = Filling(
            options.work / "pool", options.slots, options.side, options.teacher, gallery, device
        )
        try:
            if options.resume:
                trainer.resume()
            trainer.run(pool, filling, options.minutes, options.until)
        finally:
            filling.close()
        return
    trainer.resume()
    nets = trainer.averaged.cpu().eval()
    if options.task == "export":
        export(nets.student, nets.encoder, options.out, trainer.progress.step)
    elif options.task == "styles":
        write_styles(options.out, gallery, options.out.parent / "styles")
    else:
        report(options.out, options.teacher, gallery, options.shown, options.work)


if __name__ == "__main__":
    main()
