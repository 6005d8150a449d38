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
