// A media room from a browser's side: publish by WHIP (RFC 9725), watch by WHEP. Knows no page and no session.

const GATHERING_MS = 1000;
const PATIENCE_MS = 4000; // browsers themselves take half a minute to call a silent connection failed

let iceServers = []; // that services have named; none is ever asked unless its own service names it

/** A room said no, or nobody answered. `status` is the HTTP status, 0 where there was none. */
export class RoomError extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

/** One connection into a room; `lost` is called once when it breaks by itself. */
export class RoomPeer {
  #resource = null;
  #token;
  #closed = false;
  #doubt = null;

  constructor(token) {
    this.#token = token;
    this.servers = iceServers;
    this.lost = () => {};
    this.connection = new RTCPeerConnection({ iceServers, bundlePolicy: "max-bundle" });
    this.connection.addEventListener("connectionstatechange", () => {
      const state = this.connection.connectionState;
      clearTimeout(this.#doubt);
      if (state === "failed") this.#lose();
      if (state === "disconnected") this.#doubt = setTimeout(() => this.#lose(), PATIENCE_MS);
    });
  }

  /** Offers and applies the answer. Throws RoomError; the peer is closed then. */
  async join(url) {
    try {
      await this.connection.setLocalDescription();
      await gathered(this.connection);
      const answer = await this.#post(url);
      await this.connection.setRemoteDescription({ type: "answer", sdp: answer });
    } catch (error) {
      this.close();
      throw error instanceof RoomError ? error : new RoomError(error.message);
    }
    return this;
  }

  /** Leaves the room. The service is told, unless the room ends for everybody anyway. */
  close(tell = true) {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#doubt);
    if (tell && this.#resource) this.#request(this.#resource, "DELETE").catch(() => {});
    this.connection.close();
  }

  #lose() {
    if (this.#closed) return;
    this.close();
    this.lost();
  }

  async #post(url) {
    const sdp = this.connection.localDescription.sdp;
    const answer = await this.#request(url, "POST", sdp).catch((error) => {
      throw new RoomError(error.message);
    });
    if (!answer.ok) throw new RoomError(`${answer.status}`, answer.status);
    this.#resource = new URL(answer.headers.get("Location"), url).href;
    iceServers = iceServersIn(answer.headers.get("Link") ?? "");
    const text = await answer.text();
    if (this.#closed) {
      this.#request(this.#resource, "DELETE").catch(() => {});
      throw new RoomError("left meanwhile");
    }
    return text;
  }

  #request(url, method, body) {
    const headers = { Authorization: `Bearer ${this.#token}` };
    if (body) headers["Content-Type"] = "application/sdp";
    return fetch(url, { method, headers, body, keepalive: !body, cache: "no-store" });
  }
}

/** Publishes one video track into the room at `url` (`…/whip`). */
export function publish(url, token, track) {
  return entered(url, () => {
    const peer = new RoomPeer(token);
    peer.sender = peer.connection.addTransceiver(track, { direction: "sendonly" }).sender;
    return peer;
  });
}

/** Watches the room at `url` (`…/whep`); `peer.stream` has its picture. */
export function watch(url, token) {
  return entered(url, () => {
    const peer = new RoomPeer(token);
    const { receiver } = peer.connection.addTransceiver("video", { direction: "recvonly" });
    // A picture that is late is worth nothing in a call: no more buffer than the network needs.
    if ("jitterBufferTarget" in receiver) receiver.jitterBufferTarget = 0;
    peer.stream = new MediaStream([receiver.track]);
    peer.frames = async () => {
      let count = 0;
      for (const report of (await receiver.getStats()).values()) {
        if (report.type === "inbound-rtp") count += report.framesReceived ?? 0;
      }
      return count;
    };
    return peer;
  });
}

/** Enters; a service that names ICE servers, which it can do in its answer only, is entered again with them. */
async function entered(url, make) {
  const peer = await make().join(url);
  if (JSON.stringify(peer.servers) === JSON.stringify(iceServers)) return peer;
  peer.close();
  return make().join(url);
}

/** The ICE servers of a Link header (RFC 9725, section 4.6). */
export function iceServersIn(header) {
  const servers = [];
  for (const [, urls, words] of header.matchAll(/<([^>]*)>((?:\s*;\s*[\w-]+="(?:[^"\\]|\\.)*")*)/g)) {
    const said = {};
    for (const [, name, value] of words.matchAll(/([\w-]+)="((?:[^"\\]|\\.)*)"/g)) {
      said[name] = value.replace(/\\(.)/g, "$1");
    }
    if (said.rel !== "ice-server") continue;
    servers.push(said.username ? { urls, username: said.username, credential: said.credential } : { urls });
  }
  return servers;
}

/** Shows a stream as soon as it has a picture; until then the video keeps what it shows. */
export async function show(video, stream) {
  const track = stream.getVideoTracks()[0];
  if (track.muted) await new Promise((go) => track.addEventListener("unmute", go, { once: true }));
  video.srcObject = stream;
  await video.play().catch(() => {});
}

function gathered(connection) {
  if (connection.iceGatheringState === "complete") return Promise.resolve();
  return new Promise((go) => {
    const timer = setTimeout(go, GATHERING_MS);
    connection.addEventListener("icegatheringstatechange", () => {
      if (connection.iceGatheringState !== "complete") return;
      clearTimeout(timer);
      go();
    });
  });
}
