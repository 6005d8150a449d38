/* --- Drafts: unsent text, stored in this browser for 7 days, until sent or until sign-out --- */

const { who } = document.currentScript.dataset;

const KEPT_MS = 7 * 86_400_000;
const mine = `draft ${who} `;
/** The fields that a form with a text keeps. Pictures are kept by their ids. */
const FIELDS = "textarea, input[name=tags], input[name=title], .sent-pictures";
const fieldsOf = (form) => (form.querySelector("textarea") ? [...form.querySelectorAll(FIELDS)] : []);
const keyOf = (field) => `${mine}${field.closest("form").getAttribute("action")} ${field.name ?? "pictures"}`;
const textOf = (field) =>
  field.value ?? [...field.querySelectorAll("[name=picture]")].map(({ value }) => value).join(" ");
const said = document.querySelector("[data-said]");
/** When this page last read or stored each draft. */
const seen = new Map();
const opened = Date.now();

for (const key of Object.keys(localStorage)) {
  if (!key.startsWith("draft ")) continue;
  const { at } = JSON.parse(localStorage[key]);
  if (!(Date.now() - at < KEPT_MS)) localStorage.removeItem(key);
}
// Deletes the drafts of the form that was just sent. The form was accepted if this page shows no error.
const sent = sessionStorage.getItem("sent");
sessionStorage.removeItem("sent");
if (sent && !document.querySelector(".fault-box, .fault"))
  for (const key of JSON.parse(sent)) localStorage.removeItem(key);

function restoreIn(place) {
  for (const form of place.querySelectorAll("form[method=post]")) {
    const found = fieldsOf(form).filter((field) => localStorage[keyOf(field)] && textOf(field) === "");
    for (const field of found) {
      const { text, at } = JSON.parse(localStorage[keyOf(field)]);
      seen.set(keyOf(field), at);
      if (field.value === undefined) {
        for (const value of text.split(" "))
          field.append(
            Object.assign(document.createElement("input"), { type: "hidden", name: "picture", value }),
          );
        // pictures.js shows the pictures.
        setTimeout(() => form.dispatchEvent(new Event("restored", { bubbles: true })));
      } else field.value = text;
      // Opens the collapsed form, so that the restored draft is visible.
      for (let folded = field.closest("details"); folded; folded = folded.parentElement.closest("details"))
        folded.open = true;
    }
    if (found.length > 0) offerDiscard(form, found);
  }
}

function offerDiscard(form, found) {
  const note = document.createElement("p");
  const button = document.createElement("button");
  note.className = "hint restored";
  button.className = "link";
  button.type = "button";
  button.textContent = said.dataset.discard;
  button.addEventListener("click", () => {
    for (const field of found) {
      localStorage.removeItem(keyOf(field));
      if (field.value === undefined) field.replaceChildren();
      else field.value = "";
    }
    note.remove();
    form.querySelector("textarea").focus();
  });
  note.append(said.dataset.restored, " ", button);
  form.prepend(note);
}
restoreIn(document);
// replies.js has put a form into the page.
addEventListener("added", ({ target }) => restoreIn(target.parentElement));
// Moves the focus into a form that the user opens.
for (const composer of document.querySelectorAll("details.composer")) {
  composer.firstElementChild.addEventListener("click", () =>
    setTimeout(() => composer.open && composer.querySelector("textarea").focus()),
  );
}
addEventListener("input", ({ target }) => {
  const field = target.closest(FIELDS);
  if (!field?.closest("form[method=post]")?.querySelector("textarea")) return;
  const key = keyOf(field);
  // Another tab has stored a newer draft.
  if (localStorage[key] && JSON.parse(localStorage[key]).at > (seen.get(key) ?? opened)) return;
  const at = Date.now();
  const text = textOf(field);
  seen.set(key, at);
  if (text === "") localStorage.removeItem(key);
  else localStorage[key] = JSON.stringify({ text, at });
});
addEventListener("submit", ({ target, submitter, defaultPrevented }) => {
  // in-place.js sends this form, and reports it with “landed”.
  if (defaultPrevented) return;
  if (target.getAttribute("action") === "/sign-out") {
    for (const key of Object.keys(localStorage)) if (key.startsWith("draft ")) localStorage.removeItem(key);
    return;
  }
  // A preview does not send the text, so its draft is kept.
  if (submitter?.name === "preview") return;
  const fields = fieldsOf(target);
  if (fields.length > 0) sessionStorage.setItem("sent", JSON.stringify(fields.map(keyOf)));
});
addEventListener("landed", ({ target }) => {
  for (const field of fieldsOf(target)) localStorage.removeItem(keyOf(field));
  target.querySelector(".restored")?.remove();
});
