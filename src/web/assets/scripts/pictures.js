/* --- Pictures: uploaded at once when they are chosen, pasted or dropped --- */

document.documentElement.dataset.scripted = "";
const said = document.querySelector("[data-said]");
/** The forms with open uploads, and a promise of whether all uploads succeeded. */
const busy = new WeakMap();

const formOf = (target) => {
  const form = target.closest?.("form");
  return form?.querySelector("input[type=file]") ? form : undefined;
};
const listOf = (form) => form.querySelector(".sent-pictures");

function take(event, given) {
  const form = formOf(event.target);
  const files = [...(given ?? [])];
  form?.classList.remove("dropping");
  if (!form || files.length === 0) return;
  event.preventDefault();
  // A form for one picture, such as that of a profile, sends its file itself.
  if (!listOf(form)) {
    const one = new DataTransfer();
    one.items.add(files[0]);
    form.querySelector("input[type=file]").files = one.files;
    return;
  }
  const more = listOf(form).closest("details");
  if (more) more.open = true;
  for (const old of form.querySelectorAll(".picture-fields > .fault")) old.remove();
  const done = sendAll(form, files, busy.get(form));
  busy.set(form, done);
  void done.finally(() => busy.get(form) === done && busy.delete(form));
}

/** Sends files one after another, up to the first that the server refuses for the limit of four. */
async function sendAll(form, files, before) {
  let isFine = (await before) ?? true;
  for (const file of files) {
    const isFull = listOf(form).children.length > 3;
    isFine = (await send(form, file)) && isFine;
    if (isFull) break;
  }
  return isFine;
}

/** Sends the form for a preview, with the file, and adds the pictures that the server then lists. */
function send(form, file) {
  const data = new FormData(form);
  data.delete("file");
  data.set("preview", "1");
  const row = document.createElement("p");
  const bar = document.createElement("progress");
  if (file) {
    data.append("file", file);
    row.className = "uploading";
    bar.value = 0;
    bar.ariaLabel = file.name;
    row.append(file.name, bar);
    listOf(form).after(row);
  }
  const request = new XMLHttpRequest();
  request.open("POST", form.getAttribute("action"));
  request.setRequestHeader("accept", "text/html");
  request.setRequestHeader("guildhall-fragment", "1");
  // At the end the bar has no value, because the server encodes the picture.
  request.upload.onprogress = ({ loaded, total }) =>
    loaded < total ? (bar.value = loaded / total) : bar.removeAttribute("value");
  return new Promise((resolve) => {
    request.onloadend = () => {
      row.remove();
      const page = new DOMParser().parseFromString(request.responseText, "text/html");
      const isDone = request.status === 200 && request.getResponseHeader("guildhall-fragment") !== null;
      if (isDone) add(form, page, data);
      // Another page asks to sign in.
      else if (file) fail(form, file, page.querySelector(".fault, h1")?.textContent ?? said.dataset.unsent);
      resolve(isDone);
    };
    request.send(data);
  });
}

function add(form, page, data) {
  const list = listOf(form);
  const sent = data.getAll("picture");
  for (const item of page.querySelectorAll(".sent-pictures li")) {
    const { value } = item.querySelector("[name=picture]");
    const place = list.querySelector(`[name=picture][value="${value}"]`);
    // A picture of a restored draft has only its id (drafts.js). A picture that was sent and has no place now
    // was removed meanwhile.
    if (place?.parentElement === list) place.replaceWith(item);
    else if (!place && !sent.includes(value)) list.append(item);
  }
  for (const gone of list.querySelectorAll(":scope > [name=picture]")) gone.remove();
  said.textContent = list.ariaLabel;
  list.dispatchEvent(new Event("input", { bubbles: true }));
}

function fail(form, { name }, text) {
  const fault = document.createElement("p");
  fault.className = "fault";
  fault.role = "alert";
  fault.textContent = `${name}: ${text}`;
  listOf(form).after(fault);
}

// drafts.js has restored the ids of a form's pictures.
addEventListener("restored", ({ target }) => void send(target));
addEventListener("paste", (event) => take(event, event.clipboardData?.files));
addEventListener("drop", (event) => take(event, event.dataTransfer?.files));
addEventListener("change", (event) => {
  const form = formOf(event.target);
  if (event.target.type !== "file" || !form || !listOf(form)) return;
  take(event, event.target.files);
  event.target.value = "";
});
for (const type of ["dragover", "dragleave"])
  addEventListener(type, (event) => {
    const form = formOf(event.target);
    if (!form || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    form.classList.toggle("dropping", type === "dragover");
  });
addEventListener("click", (event) => {
  const { target } = event;
  const form = formOf(target);
  if (form && target.type === "file" && listOf(form)) target.multiple = true;
  if (!form || target.dataset.remove === undefined) return;
  target.closest("li").remove();
  form.querySelector("input[type=file]").focus();
  listOf(form).dispatchEvent(new Event("input", { bubbles: true }));
});
// Runs before all other listeners. A form waits for its uploads, and stays if one of them failed.
addEventListener(
  "submit",
  (event) => {
    const { target: form, submitter } = event;
    const done = busy.get(form);
    if (!done) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void done.then((isFine) => isFine && setTimeout(() => form.requestSubmit(submitter)));
  },
  true,
);
