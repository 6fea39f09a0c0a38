"""Array files of decoded reference photos (NumPy's format, version 1.0), read without any decoder.

A worker writes them (``picture_transform.photo``) and is not trusted, so a reader believes nothing in them.
Must not know where photos come from.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import InvalidRequestError
from overpaint.transforms.task import PHOTO_MAX_SIDE


def read_photo(path: Path) -> NDArray[np.uint8]:
    """Reads a photo, BGR uint8 (H, W, 3); nothing is unpickled.

    Raises:
        InvalidRequestError: The file is gone (``photo_gone``) or no such array (``photo_unreadable``).
    """
    try:
        with path.open("rb") as file:
            if np.lib.format.read_magic(file) != (1, 0):
                raise ValueError("another version")
            shape, fortran, kind = np.lib.format.read_array_header_1_0(file)
            fits = len(shape) == 3 and shape[2] == 3 and min(shape) >= 1 and max(shape) <= PHOTO_MAX_SIDE
            if fortran or kind != np.uint8 or not fits:
                raise ValueError("no picture")
            return np.fromfile(file, np.uint8, math.prod(shape)).reshape(shape)
    except FileNotFoundError as error:
        raise InvalidRequestError("photo_gone") from error
    except (OSError, ValueError) as error:
        raise InvalidRequestError("photo_unreadable") from error
