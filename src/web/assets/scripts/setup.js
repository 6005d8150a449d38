// Updates the preview of the set-up: texts while typing, and the rest by a request without the password.
const form = document.querySelector("#preview").closest("form");
let latest = 0;
form.querySelector("button[name=preview]").hidden = true;

function show({ name, value }) {
  for (const element of form.querySelectorAll(`[data-shows="${name}"]`))
    element.textContent = value.trim() || element.dataset.else || "";
}

form.addEventListener("input", ({ target }) => show(target));

async function update() {
  const own = ++latest;
  const fields = new URLSearchParams(new FormData(form));
  fields.delete("password");
  fields.set("preview", "1");
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      headers: { accept: "text/html" },
      body: fields,
    });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const preview = page.querySelector("#preview");
    preview?.removeAttribute("autofocus");
    if (!preview || own !== latest) return;
    document.querySelector("#preview").replaceWith(preview);
    // The answer does not know what was typed since.
    for (const field of form.querySelectorAll("input[type=text]")) if (field.value) show(field);
  } catch {
    // Without a connection the preview stays as it is.
  }
}

form.addEventListener("change", ({ target }) => {
  if (target.name.startsWith("community.")) void update();
});
