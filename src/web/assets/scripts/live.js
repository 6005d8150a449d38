/* --- Live updates: one stream for all tabs of a browser, only while a tab is visible --- */

const body = document.body;
const { dataset } = document.currentScript;
const who = dataset.who;

const channel = new BroadcastChannel(`live ${who}`);
/** The id of the last event that this page includes. */
let last = dataset.after;
let isBehind = false;
let isListening = false;
let refusals = 0;
let later;

/** The tab that holds the lock listens and informs the other tabs. */
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
      // The browser reconnects a lost connection, but gives up on an error response, such as a proxy's during
      // a restart. Another tab may then connect. This tab retries with growing delays.
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

/** Shows an unread count everywhere on the page. */
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
let changes = 0;
/**
 * Fetches this page again and replaces its conversations. A conversation in use is not replaced, because the
 * user may be writing in it. Repeats at most once per second while events arrive.
 */
async function catchUp() {
  if (isAsking) return;
  isAsking = true;
  while (isBehind && !document.hidden) {
    isBehind = false;
    try {
      const before = changes;
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      // If a form changed something meanwhile, this answer may be older than the change.
      if (before !== changes) isBehind = true;
      else if (answer.ok) takeAll(fresh, false);
    } catch {
      // The browser is offline. The stream reports events again after it reconnects.
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  isAsking = false;
}

/** `isOwn`: the member sent the new reply or message from this page. */
function takeAll(fresh, isOwn) {
  for (const talk of document.querySelectorAll("[data-talk]")) {
    const next = fresh.querySelector(`[data-talk="${talk.dataset.talk}"]`);
    if (!next) continue;
    if (isOwn || !isInUse(talk)) take(talk, next);
    else isHeldUp = true;
  }
}

/** Whether a form is being sent, or anything but a reaction button has the focus. */
function isInUse(talk) {
  const { activeElement } = document;
  if (talk.querySelector("[aria-busy=true]")) return true;
  return activeElement !== body && talk.contains(activeElement) && !activeElement.matches(REACTION);
}

const REACTION = "form[data-in-place] > button";

function take(talk, next) {
  const known = new Set([...talk.querySelectorAll("[id]")].map(({ id }) => id));
  const added = [...next.querySelectorAll("[id]")].filter(({ id }) => id && !known.has(id));
  for (const item of added) item.classList.add("is-new");
  const { activeElement } = document;
  const focused = talk.contains(activeElement) && activeElement.matches(REACTION) && activeElement;
  talk.replaceWith(next);
  const inNext = (id) => next.querySelector(`[id="${id}"]`);
  // Open reply forms move along. The post above a form may be gone.
  for (const form of talk.querySelectorAll(".in-thread")) {
    const post = inNext(form.previousElementSibling?.id);
    if (post) post.after(form);
    else next.append(form);
  }
  if (focused) {
    const post = inNext(focused.closest("[id]").id);
    post?.querySelector(`[class="${focused.className}"]`)?.focus({ preventScroll: true });
  }
  if (added.length > 0) document.querySelector("[data-said]").textContent = added.at(-1).innerText ?? "";
}

function resume() {
  isBehind ||= isHeldUp;
  isHeldUp = false;
  void catchUp();
}
document.addEventListener("focusout", () => setTimeout(resume));
// in-place.js has sent a form.
document.addEventListener("changed", () => {
  changes++;
  setTimeout(resume);
});
// replies.js has sent a reply, and fetched this page with it.
document.addEventListener("fresh", ({ detail }) => takeAll(detail, true));
channel.onmessage = ({ data }) => {
  if (data.id) hear(data);
  // A new tab sends its last event id. The listening tab answers if that tab missed events.
  else if (isListening && data.drawn && data.drawn !== last) channel.postMessage({ missed: data.drawn });
  else if (data.missed === last) {
    isBehind = document.querySelector("[data-talk]") !== null;
    void catchUp();
  }
};

document.addEventListener("visibilitychange", () => {
  listen();
  void catchUp();
});
listen();
channel.postMessage({ drawn: last });

// The worker shows the offline page, and pushes if the member subscribes to them.
navigator.serviceWorker?.register("/push-worker.js").catch(() => {});
