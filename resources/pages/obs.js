// The page that OBS shows, a file of the user's own. Where Overpaint listens now is in obs-door.js beside it, with
// the key of this one start: nothing but a random number is said to whoever answers there, until the answer proves
// that it knows the key (HMAC-SHA-256).
//
// Whatever breaks, the last picture stands until the next one comes, unless it may be an original: it stands only
// if some pictures of its run were shown here, and the door still names that run (web/watch_files.py).

import { show, watch } from "./rooms.js";

const LOOK_MS = 1000;
const SILENCES = 3;
const HELLO_MS = 4000;
const SURE_PICTURES = 5; // more than can be on their way when a run begins

let peer = null;
let asked = 0;
let pictures = 0; // that were shown
let run = { name: "", since: 0 };
let seenRun = ""; // of the picture that is shown

const video = document.getElementById("picture");

async function stay() {
  const door = await newestDoor();
  if (!door?.port) return;
  const origin = `http://127.0.0.1:${door.port}`;
  peer = await watch(`${origin}/v1/rtc/obs/whep`, await pass(origin, door.key));
  const broken = new Promise((go) => (peer.lost = go));
  show(video, peer.stream);
  try {
    await look(broken);
  } finally {
    peer.close();
    await cover();
  }
}

/** Returns when the picture stops for good. */
async function look(broken) {
  let seen = 0;
  let silences = 0;
  while (silences < SILENCES) {
    if ((await Promise.race([broken.then(() => "broken"), pause(LOOK_MS)])) === "broken") return;
    noteRun((await newestDoor())?.standing ?? "");
    const frames = await peer.frames();
    silences = frames === seen ? silences + 1 : 0;
    seen = frames;
    if (silences) await cover();
    else if (video.srcObject === peer.stream) video.style.visibility = "visible";
  }
}

function noteRun(name) {
  if (name !== run.name) run = { name, since: pictures };
  seenRun = name && pictures - run.since >= SURE_PICTURES ? name : "";
}

/** Nobody is left who could take this visit's picture away: it goes, unless it is known to be no original. */
async function cover() {
  if (video.srcObject !== peer.stream) return; // what is shown is a former visit's, and was looked at then
  const standing = (await newestDoor())?.standing;
  if (!seenRun || standing !== seenRun) video.style.visibility = "hidden";
}

function countPictures() {
  pictures += 1;
  video.requestVideoFrameCallback(countPictures);
}

/** What obs-door.js says now. It is a script, since a page from a file may read no other file. */
function newestDoor() {
  return new Promise((go) => {
    const script = document.createElement("script");
    const done = () => {
      script.remove();
      go(globalThis.overpaintDoor);
    };
    globalThis.overpaintDoor = null; // a file that is gone says nothing
    script.addEventListener("load", done);
    script.addEventListener("error", done);
    script.src = `obs-door.js?${(asked += 1)}`;
    document.head.append(script);
  });
}

/** The token for this visit, which both ends make of the key and of two random numbers. Throws for a stranger. */
async function pass(origin, keyText) {
  const bits = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes(keyText), bits, false, ["sign", "verify"]);
  const mine = hex(crypto.getRandomValues(new Uint8Array(32)));
  const asking = { cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(HELLO_MS) };
  const answer = await fetch(`${origin}/v1/watch/hello?nonce=${mine}`, asking);
  const { nonce, proof } = await answer.json();
  const said = (who) => new TextEncoder().encode(`overpaint ${who}\n${mine}\n${nonce}`);
  if (!(await crypto.subtle.verify("HMAC", key, bytes(proof), said("server")))) throw new Error("a stranger");
  return `${mine}.${nonce}.${hex(await crypto.subtle.sign("HMAC", key, said("page")))}`;
}

function bytes(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function hex(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function pause(milliseconds) {
  return new Promise((go) => setTimeout(go, milliseconds));
}

addEventListener("pagehide", () => peer?.close()); // else the service would keep its place for a while

video.requestVideoFrameCallback(countPictures);

for (;;) {
  await stay().catch(() => {});
  await pause(LOOK_MS);
}
