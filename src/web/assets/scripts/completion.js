/* --- Completion of @name and #tag in texts, and of tags in their field --- */

const list = document.createElement("ul");
list.id = "completion";
list.className = "completion";
list.role = "listbox";
/** The completed field, the place of its word, the chosen row and the word that Escape dismissed. */
let field;
let start;
let row;
let dismissed;
let timer;
let asked = 0;

/** Returns what the word before the caret may become, and where the word begins. */
function wordAt(target) {
  const before = target.value.slice(0, target.selectionStart);
  const [, sign, typed] = target.matches("textarea[name=text]")
    ? (/(?:^|[\s(])([@#])([\p{L}\p{N}_][^\s@,;()]{0,39})$/u.exec(before) ?? [])
    : (/(?:^|[\s,;])(#?)([^\s,;#][^\s,;]{0,39})$/u.exec(before) ?? []);
  return (
    typed && { of: sign === "@" ? "member" : "tag", typed, start: before.length - typed.length - sign.length }
  );
}

addEventListener("input", ({ target, isComposing }) => {
  if (isComposing || !target.matches("textarea[name=text], input[name=tags]")) return;
  clearTimeout(timer);
  const word = wordAt(target);
  if (!word) return close();
  if (word.start !== dismissed) timer = setTimeout(() => ask(target, word), 150);
});

async function ask(target, word) {
  const mine = ++asked;
  let rows = [];
  try {
    const answer = await fetch(`/complete?${new URLSearchParams({ of: word.of, q: word.typed })}`);
    // Another page asks to sign in.
    if (answer.headers.get("content-type")?.includes("json") && answer.ok) rows = await answer.json();
  } catch {
    // Without a connection, there are no suggestions.
  }
  if (mine !== asked || document.activeElement !== target) return;
  if (rows.length === 0 || wordAt(target)?.start !== word.start) return close();
  field = target;
  start = word.start;
  const isText = field.localName === "textarea";
  list.replaceChildren(
    ...rows.map(([inserted, description], i) => {
      const item = document.createElement("li");
      item.id = `completion-${i}`;
      item.role = "option";
      item.dataset.inserted = isText ? inserted : inserted.slice(1);
      for (const [name, text] of [
        ["b", inserted],
        ["bdi", description],
      ])
        item.append(Object.assign(document.createElement(name), { textContent: text }), " ");
      return item;
    }),
  );
  list.ariaLabel = word.typed;
  field.after(list);
  field.setAttribute("aria-controls", list.id);
  field.ariaAutoComplete = "list";
  // Enter in the field of tags sends the form until a row is chosen.
  choose(isText ? 0 : -1);
}

function choose(next) {
  row = next;
  [...list.children].forEach((item, i) => (item.ariaSelected = String(i === row)));
  if (row < 0) field.removeAttribute("aria-activedescendant");
  else field.setAttribute("aria-activedescendant", list.children[row].id);
  list.children[row]?.scrollIntoView({ block: "nearest" });
}

function close() {
  asked++;
  list.remove();
  field?.removeAttribute("aria-activedescendant");
  field?.removeAttribute("aria-controls");
  field = undefined;
}

function take({ dataset }) {
  const target = field;
  const place = start;
  close();
  target.setRangeText(`${dataset.inserted} `, place, target.selectionStart, "end");
  target.dispatchEvent(new Event("input", { bubbles: true }));
}

addEventListener(
  "keydown",
  (event) => {
    if (event.target !== field || !field || event.isComposing) return;
    const { key } = event;
    const { length } = list.children;
    if (key === "ArrowDown") choose((row + 1) % length);
    else if (key === "ArrowUp") choose((row < 1 ? length : row) - 1);
    else if (key === "Escape") {
      dismissed = start;
      close();
    } else if ((key === "Enter" || key === "Tab") && row >= 0 && !event.shiftKey) take(list.children[row]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);
addEventListener("focusout", ({ target }) => {
  dismissed = undefined;
  if (target === field) close();
});
// A press keeps the focus in the field.
list.addEventListener("pointerdown", (event) => event.preventDefault());
list.addEventListener("click", ({ target }) => take(target.closest("li")));
