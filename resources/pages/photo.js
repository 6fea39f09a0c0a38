// A picture file → what set_image takes: base64 of a JPEG without what the file tells of place and camera.

const SIDE_MOST = 2048;
const BYTES_MOST = 8 * 1024 * 1024;

/** Throws "unreadable" or "large" (as the error's message). */
export async function photoData(file) {
  const blob = await reduced(file).catch(() => file); // a kind that only the service knows
  if (!blob.size) throw new Error("unreadable");
  if (blob.size > BYTES_MOST) throw new Error("large");
  const url = await new Promise((go, fail) => {
    const reader = new FileReader();
    reader.onload = () => go(reader.result);
    reader.onerror = () => fail(new Error("unreadable"));
    reader.readAsDataURL(blob);
  });
  return { data: url.slice(url.indexOf(",") + 1), blob };
}

async function reduced(file) {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, SIDE_MOST / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff"; // under what is transparent
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((go) => canvas.toBlob(go, "image/jpeg", 0.92));
}
