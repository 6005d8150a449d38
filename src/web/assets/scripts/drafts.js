/* --- Drafts: unsent text, stored in this browser for 7 days, until sent or until sign-out --- */

const { who } = document.currentScript.dataset;

const KEPT_MS = 7 * 86_400_000;
const mine = `draft ${who} `;
const keyOf = (field) => `${mine}${field.form.getAttribute("action")} ${field.name}`;

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
  for (const field of place.querySelectorAll("form[method=post] textarea")) {
    const kept = localStorage[keyOf(field)];
    if (!kept || field.value !== "") continue;
    field.value = JSON.parse(kept).text;
    // Opens the collapsed form, so that the restored draft is visible.
    const folded = field.closest("details");
    if (folded) folded.open = true;
  }
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
  if (!target.matches("form[method=post] textarea")) return;
  if (target.value === "") localStorage.removeItem(keyOf(target));
  else localStorage[keyOf(target)] = JSON.stringify({ text: target.value, at: Date.now() });
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
  const fields = [...target.querySelectorAll("textarea")];
  if (fields.length > 0) sessionStorage.setItem("sent", JSON.stringify(fields.map(keyOf)));
});
addEventListener("landed", ({ target }) => {
  for (const field of target.querySelectorAll("textarea")) localStorage.removeItem(keyOf(field));
});
