// Subscribing to Web Push needs this script. Listing and removing browsers works without it.
const box = document.querySelector("[data-push]");
if (box && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
  const form = box.querySelector("form");
  const hint = box.querySelector("[data-push-hint]");
  const say = (words) => {
    hint.textContent = words;
    hint.hidden = words === "";
  };
  say("");
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void begin();
  });
  const begin = async () => {
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      if ((await Notification.requestPermission()) !== "granted") {
        say(box.dataset.denied);
        return;
      }
      const { endpoint, keys } = (await subscribe(box.dataset.push)).toJSON();
      for (const [name, value] of Object.entries({ endpoint, ...keys })) form.elements[name].value = value;
      form.submit();
    } catch {
      say(box.dataset.failed);
    } finally {
      button.disabled = false;
    }
  };
}

async function subscribe(key) {
  const { pushManager } = await navigator.serviceWorker
    .register("/push-worker.js")
    .then(() => navigator.serviceWorker.ready);
  const old = await pushManager.getSubscription();
  // Ends a subscription with another key. The key changes when the site moves to another installation.
  if (old && !sameKey(old.options.applicationServerKey, key)) await old.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function sameKey(bytes, key) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes ?? [])));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === key;
}
