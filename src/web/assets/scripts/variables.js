/* --- Variables of a prompt: the text shows each value while the user types --- */

for (const form of document.querySelectorAll("form[data-variables]")) {
  // A value that is not sent may have any length.
  for (const field of form.querySelectorAll("textarea")) field.removeAttribute("maxlength");
  form.addEventListener("input", ({ target }) => {
    for (const shown of document.querySelectorAll(`[data-variable="${target.name}"]`))
      shown.textContent = target.value || shown.dataset.empty;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    document.getElementById("prompt").focus();
  });
}
