/* --- Keyboard shortcuts. The sheet behind “?” lists them, and turns them off in this browser --- */

const PLACES = { f: "/", j: "/jobs", p: "/prompts", m: "/messages", n: "/notifications" };
const IN_POST = { l: ".like", b: ".keep", r: "a[href$='#answer']", o: ".byline a[href^='/posts/']" };
const isOn = () => localStorage.shortcuts !== "off";
const TYPING = "textarea, select, input:not([type=checkbox], [type=radio])";
/** Whether the last key was “g”, and a place follows. */
let isGoing = false;

document.addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey, isComposing, defaultPrevented } = event;
  if (!isOn() || ctrlKey || metaKey || altKey || isComposing || defaultPrevented) return;
  if (target.matches(TYPING) || document.querySelector("dialog[open], :popover-open")) return;
  const done = isGoing ? PLACES[key] && (() => location.assign(PLACES[key])) : actionOf(key);
  isGoing = !isGoing && key === "g";
  if (!done) return;
  event.preventDefault();
  done();
});

function actionOf(key) {
  if (key === "?") return showSheet;
  if (key === "n") return write;
  if (key === "/") return search;
  if (key === "j" || key === "k") return step(key === "j" ? 1 : -1);
  const control = IN_POST[key] && controlOf(key);
  return (
    control &&
    (() => {
      control.focus({ preventScroll: true });
      if (!control.matches("textarea")) control.click();
    })
  );
}

function controlOf(key) {
  const posts = document.querySelectorAll(".post");
  const post = document.activeElement.closest(".post") ?? document.querySelector(".whole > .post");
  // The form for replies to the page's own post is open.
  if (key === "r" && post === posts[0] && post?.closest(".whole"))
    return document.querySelector("#answer textarea");
  return post?.querySelector(IN_POST[key]);
}

function step(by) {
  const posts = [...document.querySelectorAll(".post")];
  const at = posts.indexOf(document.activeElement.closest(".post"));
  // Without a current post, the first one on the screen is next.
  const next = at < 0 ? posts.find((post) => post.getBoundingClientRect().bottom > 100) : posts[at + by];
  return (
    next &&
    (() => {
      next.tabIndex = -1;
      next.focus({ preventScroll: true });
      next.scrollIntoView();
    })
  );
}

function search() {
  const field = document.querySelector("form.seek input");
  if (field?.checkVisibility()) field.focus();
  else location.assign("/search");
}

function write() {
  const composer = document.querySelector("details.composer");
  if (!composer) return location.assign("/#text");
  composer.open = true;
  composer.querySelector("textarea").focus();
}
if (location.hash === "#text") write();

async function showSheet() {
  if (!document.querySelector(".sheet")) {
    const address = "/settings/shortcuts";
    try {
      const answer = await fetch(address, { headers: { accept: "text/html", "guildhall-fragment": "1" } });
      if (!answer.headers.has("guildhall-fragment")) throw answer;
      document.body.insertAdjacentHTML("beforeend", await answer.text());
    } catch {
      return location.assign(address);
    }
    offerChoiceIn(document.querySelector(".sheet"));
  }
  document.querySelector(".sheet").showModal();
}

function offerChoiceIn(place) {
  for (const choice of place.querySelectorAll("[data-shortcuts]")) {
    const box = choice.querySelector("input");
    choice.hidden = false;
    box.checked = isOn();
    box.addEventListener("change", () => (localStorage.shortcuts = box.checked ? "on" : "off"));
  }
}
offerChoiceIn(document);
