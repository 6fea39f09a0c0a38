// The page that OBS shows, a file of the user's own: whatever breaks, the last picture stands until the next
// one comes, unless it is an original. Where Overpaint listens now is in obs-door.js beside it, with the key of this one start. Nothing but a
// random number is said to whoever answers there, until the answer proves that it knows the key (HMAC-SHA-256).

import { show, watch } from "./rooms.js";

const LOOK_MS = 1000;
const SILENCES = 3;
const HELLO_MS = 4000;

let peer = null;
let asked = 0;

const video = document.getElementById("picture");

async function stay() {
  const door = await newestDoor();
  if (!door) return;
  const origin = `http://127.0.0.1:${door.port}`;
  peer = await watch(`${origin}/v1/rtc/obs/whep`, await pass(origin, door.key));
  const broken = new Promise((go) => (peer.lost = go));
  show(video, peer.stream);
  let seen = 0;
  let silences = 0;
  while (silences < SILENCES) {
    if ((await Promise.race([broken.then(() => "broken"), pause(LOOK_MS)])) === "broken") break;
    const frames = await peer.frames();
    silences = frames === seen ? silences + 1 : 0;
    seen = frames;
    if (silences) await hideOriginal();
    else video.style.visibility = "visible";
  }
  await hideOriginal();
  peer.close();
}

/** Nobody is left who could take an original away: it does not stand, as a restyled picture does. */
async function hideOriginal() {
  if ((await newestDoor())?.original) video.style.visibility = "hidden";
}

/** What obs-door.js says now. It is a script, since a page from a file may read no other file. */
function newestDoor() {
  return new Promise((go) => {
    const script = document.createElement("script");
    const done = () => {
      script.remove();
      go(globalThis.overpaintDoor);
    };
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

for (;;) {
  await stay().catch(() => {});
  await pause(LOOK_MS);
}
