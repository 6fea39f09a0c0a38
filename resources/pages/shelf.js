// A service worker that keeps the watch page at hand: where OBS starts before Overpaint, the page is there
// all the same, and waits for its picture.

const SHELF = "watch";
const FILES = ["./", "watch.css", "watch.js", "rooms.js"];

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(SHELF).then((shelf) => shelf.addAll(FILES)));
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(newest(event.request));
});

async function newest(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await (await caches.open(SHELF)).put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await caches.match(request);
    if (kept) return kept;
    throw error;
  }
}
