// One live session as the browser that owns the camera has it: control socket, then the media room.
// Events: "state" (detail: see below), "message" (a message of the service), "picture" (detail: a stream).
// Must not know the page.

import { publish, watch } from "./rooms.js";

export const CLOSED = { authentication: 4001, session: 4003, upstream: 4011, later: 1013 };
const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 8000;
const SETTLED_MS = 10000;

/**
 * States: "connecting", "queued" (position, size), "joined" (waits for the first picture), "live",
 * "lost" (tries again by itself), "over" (code, reason; nothing more comes unless `open` is called).
 */
export class Session extends EventTarget {
  #secret;
  #address;
  #track = null;
  #socket = null;
  #peers = [];
  #retry = null;
  #attempt = 0;
  #room = 0;
  #wanted = false;

  /** `address` is the control socket's, without the secret. */
  constructor(address, secret) {
    super();
    this.#address = address;
    this.#secret = secret;
    this.state = "connecting";
    addEventListener("online", () => this.#retry !== null && this.#connect());
  }

  /** Opens the session for a camera's track; also again after its end, or to begin anew. */
  open(track) {
    this.#wanted = true;
    this.#track = track;
    this.#attempt = 0;
    this.#connect();
  }

  /** Sends another camera's picture from now on. */
  async replaceTrack(track) {
    this.#track = track;
    for (const peer of this.#peers) await peer.sender?.replaceTrack(track);
  }

  /** Says something to the service; false while nobody would hear it. */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Leaves for good: room first, then socket. */
  leave() {
    this.#wanted = false;
    this.#hangUp();
    this.#tell("over", { code: 1000, reason: "left" });
  }

  #connect() {
    this.#hangUp();
    this.#tell(this.#attempt ? "lost" : "connecting");
    const socket = new WebSocket(`${this.#address}?token=${encodeURIComponent(this.#secret)}`);
    this.#socket = socket;
    socket.addEventListener("open", () => this.#join());
    socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => socket === this.#socket && this.#closed(event));
  }

  #join() {
    const { width, height, frameRate } = this.#track?.getSettings() ?? {};
    const size = width >= 16 && height >= 16 ? { width: Math.round(width), height: Math.round(height) } : {};
    this.send({ type: "rtc_join", ...size, ...(frameRate > 0 ? { fps: frameRate } : {}) });
  }

  #hear(message) {
    if (message.type === "rtc_room_info") this.#enter(message);
    if (message.type === "queue_position") {
      this.#tell("queued", { position: message.position, size: message.queue_size });
    }
    if (message.type === "generation_ended" && message.reason === "client_left" && this.#wanted) {
      this.#join(); // the room ended, the session did not
    }
    this.dispatchEvent(new CustomEvent("message", { detail: message }));
  }

  async #enter({ rtc_url: url, token }) {
    const room = ++this.#room;
    this.#leaveRoom();
    this.#tell("joined");
    const entering = [publish(`${url}/whip`, token, this.#track), watch(`${url}/whep`, token)];
    const entered = await Promise.allSettled(entering);
    const peers = entered.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    if (room !== this.#room || peers.length < entering.length) {
      for (const peer of peers) peer.close(false);
      if (room === this.#room) this.#lose();
      return;
    }
    this.#peers = peers;
    for (const peer of peers) peer.lost = () => this.#lose();
    this.dispatchEvent(new CustomEvent("picture", { detail: peers[1].stream }));
  }

  /** The page has the first picture. */
  pictured() {
    if (this.state !== "joined") return;
    this.#tell("live");
    const room = this.#room;
    setTimeout(() => room === this.#room && (this.#attempt = 0), SETTLED_MS);
  }

  #closed({ code, reason }) {
    this.#hangUp();
    if (Object.values(CLOSED).includes(code)) {
      this.#wanted = false;
      this.#tell("over", { code, reason });
    } else if (this.#wanted) {
      this.#lose();
    }
  }

  #lose() {
    this.#hangUp();
    if (!this.#wanted) return;
    const longest = Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** this.#attempt++);
    this.#tell("lost");
    this.#retry = setTimeout(() => this.#connect(), longest * (0.5 + Math.random() / 2));
  }

  #hangUp() {
    clearTimeout(this.#retry);
    this.#retry = null;
    this.#room += 1;
    this.#leaveRoom();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close(1000);
  }

  #leaveRoom() {
    const peers = this.#peers;
    this.#peers = [];
    for (const peer of peers) peer.close(false); // a room ends with its socket, or with the next room
  }

  #tell(state, more = {}) {
    this.state = state;
    this.dispatchEvent(new CustomEvent("state", { detail: { state, ...more } }));
  }
}
