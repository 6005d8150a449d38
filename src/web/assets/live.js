// What makes an open page a little nicer (docs/contract.md#9.14): nothing on it needs this script.
const body = document.body;
const { dataset } = document.currentScript;
const who = dataset.who;

/* --- What happens, on one stream for all tabs of a browser, and none while nobody looks --- */

const channel = new BroadcastChannel(`live ${who}`);
/** Up to where this page knows what happened: it was drawn there. */
let last = dataset.after;
let isBehind = false;
let isListening = false;
let refusals = 0;
let later;

/** Whoever holds the lock listens, and tells the other tabs. */
function listen() {
  clearTimeout(later);
  if (document.hidden) return;
  const end = new AbortController();
  document.addEventListener("visibilitychange", () => end.abort(), { once: true });
  const work = () =>
    new Promise((resolve) => {
      if (end.signal.aborted) return resolve();
      isListening = true;
      const stream = new EventSource(`/live?after=${last}`);
      const over = () => {
        stream.close();
        isListening = false;
        resolve();
      };
      stream.onmessage = ({ lastEventId, data }) => {
        refusals = 0;
        const told = { ...JSON.parse(data), id: lastEventId };
        channel.postMessage(told);
        hear(told);
      };
      // A connection that was lost the browser opens again by itself. An answer that is no stream it takes
      // for the last word, which it is not where the server begins anew behind a proxy: another tab may try,
      // and this one later, ever more rarely.
      stream.onerror = () => {
        if (stream.readyState !== EventSource.CLOSED) return;
        over();
        clearTimeout(later);
        later = setTimeout(listen, Math.min(300_000, 2_000 * 2 ** refusals++) * (0.5 + Math.random()));
      };
      end.signal.addEventListener("abort", over);
    });
  navigator.locks.request(`live ${who}`, { signal: end.signal }, work).catch(() => {});
}

function hear({ id, posts, talks, isCut, unread }) {
  last = id;
  for (const [name, count] of Object.entries(unread)) show(name, count);
  tellPosts(posts);
  const isMeant = ({ dataset: { talk } }) => isCut || talks.includes(talk);
  if ([...document.querySelectorAll("[data-talk]")].some(isMeant)) isBehind = true;
  void catchUp();
}

/** How many of a kind wait, wherever the page says it. */
function show(name, count) {
  for (const place of document.querySelectorAll(`[data-unread="${name}"]`)) {
    place.hidden = count === 0;
    place.firstElementChild.textContent = count > 99 ? "99+" : String(count);
  }
}

let landed = 0;
function tellPosts(posts) {
  const place = document.querySelector("[data-new-posts]");
  landed += posts;
  if (!place || landed === 0) return;
  const forms = JSON.parse(place.dataset.newPosts);
  const rule = new Intl.PluralRules(document.documentElement.lang).select(landed);
  place.querySelector("a").textContent = (forms[rule] ?? forms.other).replace("{n}", landed);
  place.hidden = false;
}

let isAsking = false;
let isHeldUp = false;
/**
 * Asks for this very page anew and takes the conversation from it, unless somebody is writing inside of it;
 * what happens meanwhile, together and a second later.
 */
async function catchUp() {
  if (isAsking) return;
  isAsking = true;
  while (isBehind && !document.hidden) {
    isBehind = false;
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const talk of document.querySelectorAll("[data-talk]")) {
        const next = fresh.querySelector(`[data-talk="${talk.dataset.talk}"]`);
        if (!answer.ok || !next) continue;
        if (talk.contains(document.activeElement) && document.activeElement !== body) isHeldUp = true;
        else take(talk, next);
      }
    } catch {
      // The network is away; the stream tells again when it is back.
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  isAsking = false;
}

function take(talk, next) {
  const known = new Set([...talk.querySelectorAll("[id]")].map(({ id }) => id));
  const added = [...next.querySelectorAll("[id]")].filter(({ id }) => id && !known.has(id));
  for (const item of added) item.classList.add("is-new");
  talk.replaceWith(next);
  if (added.length > 0) document.querySelector("[data-said]").textContent = added.at(-1).innerText ?? "";
}

document.addEventListener("focusout", () =>
  setTimeout(() => {
    isBehind ||= isHeldUp;
    isHeldUp = false;
    void catchUp();
  }),
);
channel.onmessage = ({ data }) => {
  if (data.id) hear(data);
  // A tab that has come says where it was drawn: what it missed until it heard, it asks for.
  else if (isListening && data.drawn && data.drawn !== last) channel.postMessage({ missed: data.drawn });
  else if (data.missed === last) {
    isBehind = document.querySelector("[data-talk]") !== null;
    void catchUp();
  }
};

/*
 * --- Drafts: what was typed and not sent, kept in this browser until it is, or until its person signs out
 * ---
 */

const KEPT_MS = 7 * 86_400_000;
const mine = `draft ${who} `;
const keyOf = (field) => `${mine}${field.form.getAttribute("action")} ${field.name}`;

for (const key of Object.keys(localStorage)) {
  if (!key.startsWith("draft ")) continue;
  const { at } = JSON.parse(localStorage[key]);
  if (!(Date.now() - at < KEPT_MS)) localStorage.removeItem(key);
}
// Sent, and the page that it led to says that it was done.
const sent = sessionStorage.getItem("sent");
sessionStorage.removeItem("sent");
if (sent && !document.querySelector(".fault-box, .fault"))
  for (const key of JSON.parse(sent)) localStorage.removeItem(key);

for (const field of document.querySelectorAll("form[method=post] textarea")) {
  const kept = localStorage[keyOf(field)];
  if (!kept || field.value !== "") continue;
  field.value = JSON.parse(kept).text;
  // What was begun is in sight.
  const folded = field.closest("details");
  if (folded) folded.open = true;
}
// Whoever opens a form writes into it next.
for (const composer of document.querySelectorAll("details.composer")) {
  composer.firstElementChild.addEventListener("click", () =>
    setTimeout(() => composer.open && composer.querySelector("textarea").focus()),
  );
}
addEventListener("input", ({ target }) => {
  if (!target.matches("form[method=post] textarea")) return;
  if (target.value === "") localStorage.removeItem(keyOf(target));
  else localStorage[keyOf(target)] = JSON.stringify({ text: target.value, at: Date.now() });
});
addEventListener("submit", ({ target, submitter }) => {
  if (target.getAttribute("action") === "/sign-out") {
    for (const key of Object.keys(localStorage)) if (key.startsWith("draft ")) localStorage.removeItem(key);
    return;
  }
  // A preview is not sent.
  if (submitter?.name === "preview") return;
  const fields = [...target.querySelectorAll("textarea")];
  if (fields.length > 0) sessionStorage.setItem("sent", JSON.stringify(fields.map(keyOf)));
});

/* --- Pictures are pasted and dropped into the form that one writes in --- */

function give(event, transfer) {
  const input = event.target.closest?.("form")?.querySelector("input[type=file]");
  const files = [...(transfer?.files ?? [])];
  if (!input || files.length === 0) return;
  event.preventDefault();
  const all = new DataTransfer();
  for (const file of [...(input.multiple ? input.files : []), ...files]) all.items.add(file);
  input.files = all.files;
  const more = input.closest("details");
  if (more) more.open = true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}
addEventListener("paste", (event) => give(event, event.clipboardData));
addEventListener("drop", (event) => give(event, event.dataTransfer));
addEventListener("dragover", (event) => {
  if (event.target.closest?.("form")?.querySelector("input[type=file]")) event.preventDefault();
});

/* --- Copies --- */

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => void copy(button));
}

async function copy(button) {
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  const words = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => (button.textContent = words), 2000);
}

document.addEventListener("visibilitychange", () => {
  listen();
  void catchUp();
});
listen();
channel.postMessage({ drawn: last });
