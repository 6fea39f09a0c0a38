// The studio: a page for the browser that owns the camera. It is given a session's secret in its address's
// fragment, which no server ever sees, and puts view and session together.

import { photoData } from "./photo.js";
import { showReading } from "./reading.js";
import { show } from "./rooms.js";
import { CLOSED, Session } from "./session.js";
import { fill, say } from "./words.js";

const KEPT = "overpaint-secret";
const SOON_S = 60;

const $ = (id) => document.getElementById(id);
const here = new URL(".", location.href);
const socketAddress = new URL("v1/realtime/stream", here).href.replace(/^http/, "ws");

let secret = "";
let session = null;
let camera = null; // the camera's stream
let ends = null; // performance.now() of the session's end, ms
let warned = false;
let waiting = []; // what was said while nobody heard
let photoShown = "";
let photoGoes = false;
let photoLook = ""; // the look for the photo that is being chosen
let failure = ""; // the last error's sentence
let size = [1920, 1080];
let awake = null;

// ---- the secret ------------------------------------------------------------------------------------

function takeSecret() {
  const given = location.hash.slice(1) || sessionStorage.getItem(KEPT) || "";
  if (location.hash) history.replaceState(null, "", location.pathname); // not for who looks over a shoulder
  return secretIn(given);
}

/** From a session's secret, its `websocket_url`, or a link to this page. */
function secretIn(text) {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return trimmed;
  const url = new URL(trimmed);
  return url.searchParams.get("token") ?? url.hash.slice(1);
}

function keepSecret(value) {
  secret = value;
  if (value) sessionStorage.setItem(KEPT, value);
  else sessionStorage.removeItem(KEPT);
}

/** What is left of the session; false when the service does not know it any more. */
async function askTime() {
  const headers = { Authorization: `Bearer ${secret}` };
  const answer = await fetch(new URL("studio/session", here), { headers, cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const facts = await answer.json();
  ends = performance.now() + facts.expires_in_seconds * 1000;
  size = [facts.width, facts.height];
  $("billed-head").textContent = say(facts.free ? "on-air" : "billed");
  showTime();
}

// ---- the stage -------------------------------------------------------------------------------------

function setState(state, values = {}) {
  document.body.dataset.state = state;
  const words = say(`state.${state}`, values);
  if ($("state-words").textContent !== words) $("state-words").textContent = words;
  const busy = ["camera", "connecting", "queued", "joined", "lost"].includes(state);
  $("veil").hidden = !busy;
  $("veil-words").textContent = busy ? words : "";
}

/** Says in the middle of the stage what is the matter, and what to do: [[words, action], …], first is best. */
function showCard(name, buttons, values = {}) {
  $("card-head").textContent = say(`${name}.head`);
  $("card-text").textContent = say(`${name}.text`, values);
  $("secret-form").hidden = name !== "secret";
  $("card-buttons").replaceChildren(
    ...buttons.map(([words, action], place) => {
      const button = document.createElement("button");
      button.textContent = say(words);
      button.className = place ? "" : "primary";
      button.addEventListener("click", action);
      return button;
    }),
  );
  $("card").hidden = false;
}

function hideCard() {
  const focused = $("card").contains(document.activeElement);
  $("card").hidden = true;
  if (focused) $("prompt").focus();
}

function askForSecret() {
  keepSecret("");
  setState("off");
  showCard("secret", []);
}

function welcome() {
  setState("off");
  showCard("welcome", [["welcome.start", start]], { host: location.host });
  askTime();
}

// ---- the camera ------------------------------------------------------------------------------------

async function openCamera(id) {
  const [width, height] = size;
  const video = { width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: 30 } };
  if (id) video.deviceId = { exact: id };
  const stream = await navigator.mediaDevices.getUserMedia({ video, audio: false });
  const track = stream.getVideoTracks()[0];
  track.addEventListener("ended", () => stream === camera && cameraFailed("gone"));
  closeCamera();
  camera = stream;
  $("own").srcObject = stream;
  await listCameras(track.getSettings().deviceId);
  return track;
}

function closeCamera() {
  for (const track of camera?.getTracks() ?? []) track.stop();
  camera = null;
  $("own").srcObject = null;
}

async function listCameras(chosen) {
  const devices = (await navigator.mediaDevices.enumerateDevices()).filter((each) => each.kind === "videoinput");
  const options = devices.map((each, place) => new Option(each.label || `${say("camera")} ${place + 1}`, each.deviceId));
  $("cameras").replaceChildren(...options);
  if (chosen) $("cameras").value = chosen;
}

function cameraFailed(why) {
  session?.leave();
  closeCamera();
  setState("off");
  showCard(`camera.${why}`, [["again", start]]);
  $("card-head").focus();
}

function cameraFault(error) {
  if (error.name === "NotAllowedError" || error.name === "SecurityError") return "denied";
  return ["NotFoundError", "OverconstrainedError"].includes(error.name) ? "none" : "busy";
}

// ---- the session -----------------------------------------------------------------------------------

async function start() {
  hideCard();
  setState("camera");
  if (!navigator.mediaDevices) return cameraFailed("insecure");
  await askTime();
  let track;
  try {
    track = await openCamera($("cameras").value);
  } catch (error) {
    return cameraFailed(cameraFault(error));
  }
  failure = "";
  if (session === null) {
    session = new Session(socketAddress, secret);
    session.addEventListener("state", ({ detail }) => follow(detail));
    session.addEventListener("message", ({ detail }) => hear(detail));
    session.addEventListener("picture", ({ detail }) => picture(detail));
  }
  session.open(track);
}

async function picture(stream) {
  await show($("result"), stream);
  $("result").requestVideoFrameCallback?.(() => session.pictured()) ?? session.pictured();
}

function follow({ state, ...more }) {
  setState(state, more);
  if (state === "connecting" || state === "lost") askTime();
  keepAwake(state !== "over");
  if (state === "over") over(more);
}

/** A phone that somebody has put up before themselves must not fall asleep. */
function keepAwake(on) {
  if (on) {
    awake ??= navigator.wakeLock?.request("screen").catch(() => null) ?? null;
  } else {
    awake?.then((lock) => lock?.release());
    awake = null;
  }
}

function over({ code, reason }) {
  const wasLost = camera === null;
  closeCamera();
  $("result").srcObject = null;
  if (wasLost && code === 1000) return; // the camera's failure is already told
  if (code === CLOSED.authentication) {
    keepSecret("");
    showCard("over.4001", [["other", begin]]);
  } else if (code === CLOSED.session && reason === "session_expired") {
    ends = performance.now();
    keepSecret("");
    showCard("over.expired", [["other", begin]]);
  } else if (code === CLOSED.session) {
    showCard("over.closed", [["here", start], ["other", begin]]);
  } else if (code === CLOSED.upstream) {
    showCard("over.4011", [["again", start]], { error: failure });
  } else if (code === CLOSED.later) {
    showCard("over.1013", [["again", start]]);
  } else {
    showCard("over.left", [["back", start]]);
  }
  $("card-head").focus();
  showTime();
}

function hear(message) {
  switch (message.type) {
    case "rtc_room_info":
      waiting.splice(0).forEach((each) => session.send(each));
      break;
    case "prompt_ack":
      understood(message.success ? "prompt.understood" : "prompt.refused", { words: message.prompt, error: message.error });
      showReading($("not-understood"), message.reading, takeUp);
      break;
    case "set_image_ack":
      hearOfPhoto(message);
      break;
    case "reference_image_error":
      photoSays("photo.url", message);
      break;
    case "generation_started":
      $("measure").textContent = say("measure", { ...message, fps: Math.round(message.fps) });
      break;
    case "generation_tick":
      $("billed").textContent = say("seconds", { count: message.seconds });
      $("measure").textContent = say("measure", { width: size[0], height: size[1], fps: Math.round(message.fps) });
      break;
    case "generation_ended":
      $("billed").textContent = say("seconds", { count: message.seconds });
      break;
    case "error":
      failure = message.error;
      if (message.code !== "upstream_error") understood("prompt.refused", message);
      break;
  }
}

function sayToService(message) {
  const heard = session?.send(message) ?? false;
  if (!heard) waiting = [...waiting.filter((each) => each.type !== message.type), message];
  return heard;
}

// ---- style -----------------------------------------------------------------------------------------

function restyle(prompt) {
  $("understood").textContent = "…";
  const message = { type: "prompt", prompt, enhance_prompt: $("enhance").checked };
  if (!sayToService(message)) understood("prompt.later");
  for (const each of $("looks").querySelectorAll("button")) {
    each.setAttribute("aria-pressed", String(each.dataset.title === prompt));
  }
}

/** Does what a suggestion says. A photo is chosen first; its look follows it. */
function takeUp({ kind, words }) {
  if (kind === "look") use(words);
  else {
    photoLook = kind === "background_photo" ? "Backdrop" : "Like your photo";
    $("photo-file").click();
  }
}

function use(title) {
  $("prompt").value = title;
  restyle(title);
}

function understood(key, values) {
  $("understood").textContent = say(key, values);
}

async function usePhoto(file) {
  photoSays("photo.sending");
  try {
    const { data, blob } = await photoData(file);
    $("photo-picture").src = URL.createObjectURL(blob);
    $("photo-picture").hidden = false;
    photoGoes = false;
    if (!sayToService({ type: "set_image", image_data: data })) photoSays("prompt.later");
    if (photoLook) use(photoLook);
  } catch (error) {
    photoSays(error.message === "large" ? "photo.large" : "photo.unreadable");
  } finally {
    photoLook = "";
  }
}

function removePhoto() {
  photoGoes = true;
  photoSays("photo.sending");
  if (!sayToService({ type: "set_image", image_data: "" })) photoSays("prompt.later");
}

function hearOfPhoto(message) {
  const goes = photoGoes && message.success;
  if (goes) photoSays("photo.text");
  else if (message.success) photoSays("photo.taken");
  else photoSays("prompt.refused", message);
  if (goes) photoShown = "";
  else if (message.success) photoShown = $("photo-picture").src;
  else if (photoShown) $("photo-picture").src = photoShown;
  photoGoes = false;
  $("photo-picture").hidden = $("photo-remove").hidden = !photoShown;
}

function photoSays(key, values) {
  $("photo-words").textContent = say(key, values);
}

async function listLooks() {
  const looks = await (await fetch(new URL("studio/looks", here))).json();
  $("looks").replaceChildren(
    ...looks.map(({ name, title, description }) => {
      const button = document.createElement("button");
      const image = new Image(192, 108);
      image.src = `studio/looks/${name}.webp`;
      image.alt = "";
      image.loading = "lazy";
      button.append(image, Object.assign(document.createElement("span"), { textContent: title }));
      button.title = description;
      button.dataset.title = title;
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => use(title));
      const item = document.createElement("li");
      item.append(button);
      return item;
    }),
  );
}

// ---- time ------------------------------------------------------------------------------------------

function showTime() {
  if (ends === null) return;
  const left = Math.max(0, Math.round((ends - performance.now()) / 1000));
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  $("left").textContent = $("clock").textContent = time;
  const soon = left > 0 && left <= SOON_S;
  $("clock").classList.toggle("soon", soon);
  if (soon !== warned) $("warning").textContent = soon ? say("soon", { time }) : ""; // once, for who listens
  warned = soon;
}

// ---- what the user does ----------------------------------------------------------------------------

function pressed(button) {
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  return on;
}

function listen() {
  $("secret-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const given = secretIn($("secret").value);
    $("secret").value = "";
    if (given.startsWith("ovp_")) return void ($("card-text").textContent = say("secret.key"));
    if (!given) return;
    keepSecret(given);
    session = null;
    welcome();
  });
  $("prompt-form").addEventListener("submit", (event) => {
    event.preventDefault();
    restyle($("prompt").value.trim());
  });
  $("prompt").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    $("prompt-form").requestSubmit();
  });
  $("compare").addEventListener("click", () => {
    document.body.classList.toggle("comparing", pressed($("compare")));
  });
  $("share").addEventListener("input", () => $("picture").style.setProperty("--share", $("share").value));
  $("mirror").addEventListener("click", () => document.body.classList.toggle("mirrored", pressed($("mirror"))));
  $("full").addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else $("picture").requestFullscreen?.();
  });
  $("leave").addEventListener("click", () => session?.leave());
  $("cameras").addEventListener("change", async () => {
    if (!camera) return;
    try {
      await session.replaceTrack(await openCamera($("cameras").value));
    } catch (error) {
      cameraFailed(cameraFault(error));
    }
  });
  navigator.mediaDevices?.addEventListener("devicechange", () => {
    if (camera) listCameras($("cameras").value);
  });
  $("photo-remove").addEventListener("click", removePhoto);
  $("photo-choose").addEventListener("click", () => {
    photoLook = "";
    $("photo-file").click();
  });
  $("photo-file").addEventListener("change", () => {
    const file = $("photo-file").files[0];
    $("photo-file").value = "";
    if (file) usePhoto(file);
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) usePhoto(event.dataTransfer.files[0]);
  });
  document.addEventListener("paste", (event) => {
    if (event.clipboardData.files[0]) usePhoto(event.clipboardData.files[0]);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || !camera) return;
    awake = null; // the browser has let go of it
    keepAwake(true);
  });
  addEventListener("hashchange", begin);
  addEventListener("pagehide", () => session?.leave());
  setInterval(showTime, 500);
}

function begin() {
  session?.leave();
  session = null;
  ends = null;
  waiting = [];
  const given = takeSecret();
  for (const id of ["left", "billed", "measure"]) $(id).textContent = say("unknown");
  $("clock").textContent = "";
  if (!given || given.startsWith("ovp_")) return askForSecret();
  keepSecret(given);
  welcome();
}

fill(document);
document.title = say("title");
document.body.classList.add("mirrored");
listen();
listLooks().catch(() => {}); // without them prompts are still typed
begin();
