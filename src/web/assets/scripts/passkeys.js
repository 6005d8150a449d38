// Passkeys (WebAuthn) need this script. Everything else on these pages works without it.
for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!("PublicKeyCredential" in window) || !PublicKeyCredential.parseRequestOptionsFromJSON) {
    form.hidden = true;
    continue;
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      form.elements.response.value = JSON.stringify(await answerOf(form));
      form.submit();
    } catch (error) {
      button.disabled = false;
      say(form, error.name === "NotAllowedError" ? form.dataset.unchanged : error.message);
    }
  });
}

async function answerOf(form) {
  const isNew = form.dataset.passkey === "create";
  const answer = await fetch(`${form.dataset.options ?? form.action}/options`, {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams({ form_token: form.elements.form_token.value }),
  });
  if (!answer.ok) throw new Error(form.dataset.unanswered);
  const options = await answer.json();
  const credential = isNew
    ? await navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
      })
    : await navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
      });
  return credential.toJSON();
}

function say(form, words) {
  let box = form.querySelector("[role=alert]");
  if (!box) {
    box = document.createElement("p");
    box.className = "fault";
    box.setAttribute("role", "alert");
    form.append(box);
  }
  box.textContent = words;
}
