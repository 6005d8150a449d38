// Shows a push message as it was sent. A click opens its page.
addEventListener("push", (event) => {
  const { title = location.host, body = "", path = "/", tag } = event.data?.json() ?? {};
  event.waitUntil(registration.showNotification(title, { body, tag, data: path, icon: "/favicon.svg" }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { href, origin } = new URL(event.notification.data ?? "/", location.origin);
  if (origin === location.origin) event.waitUntil(clients.openWindow(href));
});

// Keeps the offline page and its files, and nothing else (docs/threats.md#F12). It asks without cookies, so
// that the page is the one of a guest.
async function keepOfflinePage() {
  const ask = (path) => fetch(path, { credentials: "omit" });
  const page = await ask("/offline");
  const html = await page.clone().text();
  const paths = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
  const files = await Promise.all(paths.map(ask));
  if (![page, ...files].every(({ ok, redirected }) => ok && !redirected)) return;
  await caches.delete("offline");
  const cache = await caches.open("offline");
  await Promise.all([cache.put("/offline", page), ...files.map((file, i) => cache.put(paths[i], file))]);
}

const kept = (path) => caches.match(path, { ignoreVary: true });
let isCurrent = false;

addEventListener("install", (event) => event.waitUntil(keepOfflinePage().catch(() => {})));
addEventListener("activate", (event) => event.waitUntil(registration.navigationPreload?.enable()));

addEventListener("fetch", (event) => {
  const { request } = event;
  // A form that could not be sent keeps the browser's own page, which can send it again.
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(navigate(event));
  else if (new URL(request.url).pathname.startsWith("/assets/"))
    event.respondWith(fetch(request).catch(async () => (await kept(request)) ?? Response.error()));
});

async function navigate(event) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    // Once per start of the worker: the name or the colour of the community may have changed.
    if (!isCurrent) event.waitUntil(keepOfflinePage().catch(() => {}));
    isCurrent = true;
    return answer;
  } catch {
    return (await kept("/offline")) ?? Response.error();
  }
}
