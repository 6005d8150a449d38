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
/**
 * Fetches this page again and replaces its conversations. A conversation that contains the focus is not
 * replaced, because the user may be writing in it. Repeats at most once per second while events arrive.
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
      // The browser is offline. The stream reports events again after it reconnects.
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
