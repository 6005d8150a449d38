/* --- Replies: a form opens below the reply that it answers, and the new reply lands in the thread --- */

document.addEventListener("click", (event) => {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (target.closest("[data-close]")) return close(target.form);
  const link = target.closest("[data-talk] a[href$='#answer']");
  // The form of the page's own post is below the conversation.
  if (!link || link.pathname === location.pathname) return;
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
  event.preventDefault();
  void open(link);
});

document.addEventListener("keydown", ({ key, target, defaultPrevented }) => {
  const form = key === "Escape" && !defaultPrevented && target.closest?.(".in-thread");
  if (form) close(form);
});

/** The text of a closed form is kept as a draft. */
function close(form) {
  form.previousElementSibling?.querySelector("a[href$='#answer']")?.focus({ preventScroll: true });
  form.remove();
}

async function open(link) {
  const post = link.closest("article");
  const opened = () => (post.nextElementSibling?.matches(".in-thread") ? post.nextElementSibling : undefined);
  if (!opened()) {
    if (link.ariaBusy === "true") return;
    link.ariaBusy = "true";
    const html = await textOf(link.href, { "guildhall-fragment": "1" });
    link.ariaBusy = null;
    // Without a form, the page of the reply says why.
    if (!html?.startsWith("<form")) return location.assign(link.href);
    // Several forms are on the page, so each gets its own ids.
    post.insertAdjacentHTML(
      "afterend",
      html.replace(/ (id|for|list|aria-[a-z]+by|aria-controls)="([^"]+)"/g, (_, name, ids) => {
        return ` ${name}="${ids.replace(/\S+/g, `$&-${post.id}`)}"`;
      }),
    );
    opened()?.dispatchEvent(new Event("added", { bubbles: true }));
  }
  const field = opened()?.querySelector("textarea");
  field?.focus();
}

// in-place.js has sent a form that leads to `place`.
document.addEventListener("landed", (event) => {
  const { target, detail } = event;
  if (!document.querySelector("[data-talk]") || !target.querySelector("textarea")) return;
  event.preventDefault();
  void land(target, detail);
});

async function land(form, { place, go }) {
  form.ariaBusy = "true";
  const { href, hash } = new URL(place, location.href);
  const html = await textOf(location.href);
  const fresh = new DOMParser().parseFromString(html ?? "", "text/html");
  const id = hash.slice(1);
  const isHere =
    fresh.querySelector(`[data-talk] [id="${id}"]`) !== null ||
    (id === "end" && fresh.getElementById(id) !== null && href === location.href.split("#")[0] + hash);
  if (!isHere) return go(place);
  const isInThread = form.matches(".in-thread");
  if (isInThread) form.remove();
  else form.replaceWith((form = fresh.querySelector(`form[action="${form.getAttribute("action")}"]`)));
  document.dispatchEvent(new CustomEvent("fresh", { detail: fresh }));
  const root = document.getElementById(document.querySelector("[data-talk]").dataset.talk);
  root?.replaceWith(fresh.getElementById(root.id) ?? root);
  const reply = document.getElementById(id);
  if (id === "end") form.querySelector("textarea").focus();
  else {
    reply.tabIndex = -1;
    reply.focus();
  }
}

/** Returns undefined if the server does not answer, or answers with a refusal. */
async function textOf(address, more) {
  try {
    const answer = await fetch(address, { headers: { accept: "text/html", ...more } });
    if (answer.ok && (!more || answer.headers.has("guildhall-fragment"))) return await answer.text();
  } catch {
    return undefined;
  }
}
