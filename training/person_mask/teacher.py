"""The teacher: MediaPipe's selfie segmentation (Apache-2.0) as ONNX. Used while training only, never shipped."""

from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime

ROWS, COLUMNS = 144, 256
"""Size of the pictures that the landscape net takes."""

BETWEEN = ("t26", "t49", "t94", "t140", "t174", "t201", "t228")
"""What the landscape net sees on its way, where our net has its stages: see ``net.BETWEEN``."""

LOGITS = "t258"
"""Its answer before the sigmoid."""


class Teacher:
    """Both nets of a folder: ``selfie_landscape.onnx`` (144×256) and ``selfie.onnx`` (256×256)."""

    def __init__(self, folder: Path) -> None:
        landscape = onnx.load(str(folder / "selfie_landscape.onnx"))
        for name in (LOGITS, *BETWEEN):
            landscape.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        providers = ["CPUExecutionProvider"]
        self._wide = onnxruntime.InferenceSession(landscape.SerializeToString(), options, providers=providers)
        self._square = onnxruntime.InferenceSession(str(folder / "selfie.onnx"), options, providers=providers)

    def see(self, rgb: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        """What the landscape net makes of one picture.

        Args:
            rgb: uint8 (144, 256, 3).

        Returns:
            Logits of a person, float32 (144, 256), and what it saw on its way, float32 (channels, rows, columns)
            each.
        """
        logits, *seen = self._wide.run([LOGITS, *BETWEEN], _input(self._wide, rgb, COLUMNS, ROWS))
        return logits.squeeze(), [one[0] for one in seen]

    def judge(self, rgb: np.ndarray) -> np.ndarray:
        """The best that both nets can do together: mirrored, and once more on the part where somebody is.

        Args:
            rgb: uint8 (H, W, 3).

        Returns:
            Probability, float32 (H, W), its edges drawn along those of the picture.
        """
        height, width = rgb.shape[:2]
        mask = self._both(rgb)
        found = cv2.boundingRect((mask > 0.4).astype(np.uint8))
        if found[2] * found[3] > 0.02 * height * width:
            x, y, w, h = found
            left, top = max(0, x - w // 5), max(0, y - h // 6)
            part = (slice(top, min(height, y + h + h // 6)), slice(left, min(width, x + w + w // 5)))
            closer = self._both(np.ascontiguousarray(rgb[part]))
            mask[part] = (mask[part] + 2 * closer) / 3
        refined = follow_edges(rgb, mask, max(2, min(height, width) // 72))
        return np.clip((refined - 0.5) * 1.5 + 0.5, 0, 1)

    def _both(self, rgb: np.ndarray) -> np.ndarray:
        total = np.zeros(rgb.shape[:2], np.float32)
        for net, size in ((self._wide, (COLUMNS, ROWS)), (self._square, (256, 256))):
            for mirrored in (False, True):
                seen = np.ascontiguousarray(rgb[:, ::-1]) if mirrored else rgb
                mask = net.run([net.get_outputs()[0].name], _input(net, seen, *size))[0].squeeze()
                mask = cv2.resize(mask, rgb.shape[1::-1], interpolation=cv2.INTER_LINEAR)
                total += mask[:, ::-1] if mirrored else mask
        return total / 4


def follow_edges(rgb: np.ndarray, mask: np.ndarray, radius: int, softness: float = 2e-3) -> np.ndarray:
    """Draws a soft mask along a picture's edges by the guided filter on its luma (He et al. 2010).

    Args:
        rgb: uint8 (H, W, 3).
        mask: float32 (H, W).
        radius: Of the fit, pixels.
        softness: Variance of luma (0..1) below which a place counts as flat.
    """
    guide = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY).astype(np.float32) / 255
    side = (2 * radius + 1, 2 * radius + 1)
    mean, mean_mask = cv2.blur(guide, side), cv2.blur(mask, side)
    spread = cv2.blur(guide * guide, side) - mean * mean
    slope = (cv2.blur(guide * mask, side) - mean * mean_mask) / (spread + softness)
    offset = mean_mask - slope * mean
    return cv2.blur(slope, side) * guide + cv2.blur(offset, side)


def _input(net: onnxruntime.InferenceSession, rgb: np.ndarray, width: int, height: int) -> dict[str, np.ndarray]:
    if rgb.shape[:2] != (height, width):
        rgb = cv2.resize(rgb, (width, height), interpolation=cv2.INTER_AREA)
    return {net.get_inputs()[0].name: (rgb.astype(np.float32) * (1 / 255)).transpose(2, 0, 1)[None]}
