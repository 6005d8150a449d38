/* --- Forms that change one thing: this script sends them, and puts in the fragment that comes back --- */

const said = document.querySelector("[data-said]");

// Listens on the document, so that the listeners on the window see that the form is handled.
document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  // A button with a name asks for another answer, such as a preview.
  if (event.defaultPrevented || form.dataset.inPlace === undefined || submitter?.name) return;
  event.preventDefault();
  if (form.ariaBusy !== "true") void send(form);
});

// A page of the browser's cache shows the state before a change on a later page, so it is loaded again.
const opened = Date.now();
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && sessionStorage.getItem("changed") > opened) location.reload();
});

async function send(form) {
  form.ariaBusy = "true";
  form.refusal?.remove();
  const pressed = form.querySelector("[aria-pressed]");
  // Shows the new state at once. An error reverts it.
  const flip = () => pressed && (pressed.ariaPressed = String(pressed.ariaPressed !== "true"));
  flip();
  let answer;
  let html;
  try {
    const fields = new FormData(form);
    const isUpload = form.enctype === "multipart/form-data";
    answer = await fetch(form.action, {
      method: "POST",
      headers: { accept: "text/html", "guildhall-fragment": "1" },
      body: isUpload ? fields : new URLSearchParams(fields),
      // An upload takes as long as its connection needs.
      signal: isUpload ? undefined : AbortSignal.timeout(30_000),
    });
    html = await answer.text();
  } catch {
    // The connection failed, so there is no answer.
  }
  form.ariaBusy = null;
  const isFragment = answer?.headers.has("guildhall-fragment");
  const place = answer?.headers.get("location");
  sessionStorage.setItem("changed", Date.now());
  document.dispatchEvent(new Event("changed"));
  if (isFragment && place !== null) {
    const landed = new CustomEvent("landed", { bubbles: true, cancelable: true, detail: { place, go } });
    if (form.dispatchEvent(landed)) go(place);
  } else if (isFragment && answer.ok) put(form, html);
  else {
    flip();
    // A page instead of a fragment asks to sign in, so the browser opens it.
    if (!isFragment && answer && answer.status < 500) form.submit();
    else sayAt(form, isFragment ? html : "");
  }
}

/** Replaces the form, and keeps the focus where it was. */
function put(form, html) {
  const region = form.dataset.inPlace === "" ? form : form.closest(form.dataset.inPlace);
  const hadFocus = region.contains(document.activeElement);
  const parts = [...read(html).children];
  let next;
  for (const part of parts) {
    if (part.matches("[data-said]")) said.textContent = part.textContent;
    else if (part.id) document.getElementById(part.id)?.replaceWith(part);
    else region.replaceWith((next = part));
  }
  if (!next) region.remove();
  if (!hadFocus) return;
  const goal = next?.querySelector("button, a") ?? document.getElementById("content");
  goal.focus({ preventScroll: true });
}

/** Opens a page, also if only the part after “#” differs from this page. */
function go(place) {
  const { pathname, search, href } = new URL(place, location.href);
  const isHere = pathname + search === location.pathname + location.search;
  location.assign(href);
  if (isHere) location.reload();
}

/** Shows a refusal above the buttons of its form, or below a single button. */
function sayAt(form, html) {
  const fault = read(html).firstElementChild ?? document.createElement("p");
  // Without a refusal, the server did not answer.
  if (html === "") fault.textContent = said.dataset.unsent;
  fault.className = "fault";
  fault.role = "alert";
  const buttons = form.querySelector(".actions");
  if (buttons) buttons.before(fault);
  else form.after(fault);
  form.refusal = fault;
}

function read(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}
