// Shows what comes by Web Push, as it was written, and opens the page that it is about.
addEventListener("push", (event) => {
  const { title = location.host, body = "", path = "/", tag } = event.data?.json() ?? {};
  event.waitUntil(registration.showNotification(title, { body, tag, data: path, icon: "/favicon.svg" }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { href, origin } = new URL(event.notification.data ?? "/", location.origin);
  if (origin === location.origin) event.waitUntil(clients.openWindow(href));
});
