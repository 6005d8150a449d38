/* --- Pictures pasted or dropped into a form --- */

function give(event, transfer) {
  const input = event.target.closest?.("form")?.querySelector("input[type=file]");
  const files = [...(transfer?.files ?? [])];
  if (!input || files.length === 0) return;
  event.preventDefault();
  const all = new DataTransfer();
  for (const file of [...(input.multiple ? input.files : []), ...files]) all.items.add(file);
  input.files = all.files;
  const more = input.closest("details");
  if (more) more.open = true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}
addEventListener("paste", (event) => give(event, event.clipboardData));
addEventListener("drop", (event) => give(event, event.dataTransfer));
addEventListener("dragover", (event) => {
  if (event.target.closest?.("form")?.querySelector("input[type=file]")) event.preventDefault();
});
