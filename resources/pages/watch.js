// Shows one room for ever: whatever breaks, the last picture stands until the next one comes.
// Its address is …/TOKEN/, which is all that it knows.

import { show, watch } from "./rooms.js";

const LOOK_MS = 1000;
const SILENCES = 3;

let peer = null;

const video = document.getElementById("picture");
const token = location.pathname.split("/")[1];
const room = new URL("/v1/rtc/obs/whep", location.href).href;

async function stay() {
  peer = await watch(room, token);
  const broken = new Promise((go) => (peer.lost = go));
  show(video, peer.stream);
  let seen = 0;
  let silences = 0;
  while (silences < SILENCES) {
    if ((await Promise.race([broken.then(() => "broken"), pause(LOOK_MS)])) === "broken") break;
    const frames = await peer.frames();
    silences = frames === seen ? silences + 1 : 0;
    seen = frames;
  }
  peer.close();
}

function pause(milliseconds) {
  return new Promise((go) => setTimeout(go, milliseconds));
}

navigator.serviceWorker?.register("shelf.js").catch(() => {});
addEventListener("pagehide", () => peer?.close()); // else the service would keep its place for a while

for (;;) {
  await stay().catch(() => {});
  await pause(LOOK_MS);
}
