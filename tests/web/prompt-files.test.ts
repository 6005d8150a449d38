// What docs/contract.md#4.10 promises of pages: versions side by side, and prompts as files.
import { expect, test } from "bun:test";
import { attributesOf, wordsOf } from "./support.ts";
import { openTown, pathOf, PROMPT } from "./town.ts";

test("two versions of a prompt stand side by side, whichever they are; who may not read it sees neither", async () => {
  await using town = await openTown();
  const { ada, guest } = town;
  const sent = { ...PROMPT, body: "You maintain this project.\nAsk for tests." };
  const path = pathOf(await ada.submit(await ada.open("/prompts/new"), "/prompts", sent));
  const revise = async (fields: Record<string, string>) =>
    ada.submit(await ada.open(`${path}/revise`), `${path}/revise`, { note: "n", ...fields });
  await revise({ body: "You maintain this <b>project</b>.\nAsk for tests first.", note: "Tests first." });
  await revise({ body: "Nothing of it.", title: "Another title" });
  const newest = await guest.open(`${path}/compare`);
  expect(wordsOf(newest.html)).toContain("Version 2 and version 3");
  expect(newest.html).toContain("<ins>Nothing of it</ins>");
  expect(await attributesOf((await guest.open(path)).html, "a[href*=compare]", "href")).toEqual([
    `${path}/compare?from=2&to=3`,
    `${path}/compare?from=1&to=2`,
  ]);
  const first = await guest.open(`${path}/compare?from=1&to=2`);
  expect(first.html).toContain("<ins> first</ins>");
  expect(first.html).toContain("<ins>&lt;b&gt;</ins>");
  expect(wordsOf(first.html)).toContain("Tests first.");
  // The other way round, and one with itself.
  expect((await guest.open(`${path}/compare?from=2&to=1`)).html).toContain("<del> first</del>");
  expect(wordsOf((await guest.open(`${path}/compare?from=2&to=2`)).html)).toContain("Nothing in it changed.");
  for (const query of ["from=4", "from=0", "to=-1", "to=1e1", "from=x"])
    expect((await guest.open(`${path}/compare?${query}`)).status).toBe(404);

  const file = await guest.open(`${path}.md?version=1`);
  expect(file.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="[a-z0-9.-]+-v1\.md"$/);
  expect(file.html).toMatch(
    /^---\ntitle: "Review a diff"\nmodel: "claude-sonnet"\ncategory: "code-review"\nauthor: "ada"\nversion: 1\nurl: "http/,
  );
  expect(file.html).toEndWith(`\n---\n\n${sent.body}\n`);
  expect((await guest.open(`${path}.md`)).html).toContain('title: "Another title"');
  for (const query of ["version=4", "version=x", "version=1.5", "version="])
    expect((await guest.open(`${path}.md?${query}`)).status).toBe(404);
  await ada.submit(await ada.open(`${path}/delete`), `${path}/delete`);
  for (const gone of [`${path}.md`, `${path}/compare`]) expect((await guest.open(gone)).status).toBe(404);
});
