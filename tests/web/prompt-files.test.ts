// Tests docs/contract.md#4.10 on pages: comparison of versions, and prompts as files.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { fileOf, readFile } from "../../src/web/pages/prompts/prompt-file.ts";
import { attributesOf, sendForm, visibleText } from "./support.ts";
import { openSiteWithMembers, pathOf, PROMPT } from "./site-with-members.ts";

test("compares any two versions of a prompt, and only for readers of the prompt", async () => {
  await using site = await openSiteWithMembers();
  const { ada, guest } = site;
  const sent = { ...PROMPT, body: "You maintain this project.\nAsk for tests." };
  const path = pathOf(await ada.submit(await ada.open("/prompts/new"), "/prompts", sent));
  const revise = async (fields: Record<string, string>) =>
    ada.submit(await ada.open(`${path}/revise`), `${path}/revise`, { note: "n", ...fields });
  await revise({ body: "You maintain this <b>project</b>.\nAsk for tests first.", note: "Tests first." });
  await revise({ body: "Nothing of it.", title: "Another title" });
  const newest = await guest.open(`${path}/compare`);
  expect(visibleText(newest.html)).toContain("Changes from version 2 to version 3");
  expect(newest.html).toContain("<ins>Nothing of it</ins>");
  expect(await attributesOf((await guest.open(path)).html, "a[href*=compare]", "href")).toEqual([
    `${path}/compare?from=2&to=3`,
    `${path}/compare?from=1&to=2`,
  ]);
  const first = await guest.open(`${path}/compare?from=1&to=2`);
  expect(first.html).toContain("<ins> first</ins>");
  expect(first.html).toContain("<ins>&lt;b&gt;</ins>");
  expect(visibleText(first.html)).toContain("Tests first.");
  expect((await guest.open(`${path}/compare?from=2&to=1`)).html).toContain("<del> first</del>");
  expect(visibleText((await guest.open(`${path}/compare?from=2&to=2`)).html)).toContain(
    "The prompt text did not change.",
  );
  for (const query of ["from=4", "from=0", "to=-1", "to=1e1", "from=x"])
    expect((await guest.open(`${path}/compare?${query}`)).status).toBe(404);

  const file = await guest.open(`${path}.md?version=1`);
  expect(file.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="[a-z0-9.-]+-v1\.md"$/);
  expect(readFile(file.html)).toEqual({
    title: PROMPT.title,
    model: "claude-sonnet",
    category: "code-review",
    body: sent.body,
  });
  expect((await guest.open(`${path}.md`)).html).toContain('title: "Another title"');
  for (const query of ["version=4", "version=x", "version=1.5", "version="])
    expect((await guest.open(`${path}.md?${query}`)).status).toBe(404);
  await ada.submit(await ada.open(`${path}/delete`), `${path}/delete`);
  for (const gone of [`${path}.md`, `${path}/compare`]) expect((await guest.open(gone)).status).toBe(404);
});

test("variables of a prompt become fields, and a filled-in prompt is escaped and not stored", async () => {
  await using site = await openSiteWithMembers();
  const { ada, guest } = site;
  const body = "Review {{ the diff }} in {{language}}. {{language}} only, {{}} and {{<b>}} stay.";
  const path = pathOf(await ada.submit(await ada.open("/prompts/new"), "/prompts", { ...PROMPT, body }));
  const page = await guest.open(path);
  expect(await attributesOf(page.html, ".variables textarea", "name")).toEqual(["v1", "v2"]);
  expect(visibleText(page.html)).toContain("Review {{ the diff }} in {{language}} .");
  const filled = await guest.open(
    `${path}?${new URLSearchParams({ v1: `"<script>x</script>`, v2: "Rust" })}`,
  );
  expect(visibleText(filled.html)).toContain(
    `Review "<script>x</script> in Rust . Rust only, {{}} and {{<b>}} stay.`,
  );
  expect(filled.html).not.toContain("<script>x");
  expect(await attributesOf(filled.html, "[data-variable]", "data-empty")).toEqual([
    "{{ the diff }}",
    "{{language}}",
    "{{language}}",
  ]);
  expect((await guest.open(`${path}.md`)).html).toContain(body);
});

test("reads any prompt back from its file, and takes a file without a head as the text", () => {
  const line = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
    .filter((text) => text.trim() !== "");
  fc.assert(
    fc.property(line, line, fc.string({ unit: "grapheme" }), (title, model, body) => {
      const version = { title, model, body, version: 2, note: "", score: 0, ratings: 0, createdAt: 0 };
      const prompt = { category: "code", author: { username: "ada" } };
      const text = fileOf(prompt as never, version, "https://guild.example/prompts/x");
      expect(readFile(text)).toEqual({
        ...{ title, model, category: "code" },
        body: body
          .replaceAll("\r\n", "\n")
          .replace(/^\uFEFF/, "")
          .trim(),
      });
    }),
    { numRuns: 50 },
  );
  expect(readFile("Just a text\n---\nand more")).toMatchObject({
    title: undefined,
    body: "Just a text\n---\nand more",
  });
  expect(
    readFile("\uFEFF---\r\ntitle: It's 'mine'\r\nmodel: 'a''b'\r\nother: &a [*a]\r\n---\r\n\r\nText\r\n"),
  ).toEqual({
    ...{ title: "It's 'mine'", model: "a'b", category: undefined },
    body: "Text",
  });
  // An unterminated header or an invalid value is read as text.
  expect(readFile("---\ntitle: x\nText").body).toBe("---\ntitle: x\nText");
  expect(readFile('---\ntitle: "x\n---\nText').title).toBe('"x');
});

test("a file fills the form and stores nothing, and a binary, oversized or cross-site file is refused", async () => {
  await using fixture = await openSiteWithMembers();
  const { site, ada } = fixture;
  const page = await ada.open("/prompts/new");
  const send = async (file: string | Uint8Array, headers = {}) =>
    sendForm(site, ada, page, "/prompts/file", {}, Buffer.from(file as string), headers);
  const filled = await send(
    '---\ntitle: "<b> & \\"x\\""\nmodel: gpt\ncategory: code\n---\n\nYou are </textarea>\n',
  );
  expect(filled.status).toBe(200);
  const html = await filled.text();
  for (const part of [
    "You are &lt;/textarea&gt;</textarea>",
    'value="gpt"',
    'value="code"',
    'value="<b> & &#34;x&#34;"',
  ])
    expect(html).toContain(part);
  const refused = [
    [await send(""), 400, "This cannot be empty."],
    [await send("x".repeat(300 * 1024)), 400, "at most 256 KiB"],
    [await send(Uint8Array.of(0xff, 0xfe, 0x41)), 400, "could not be read"],
    [await send("x", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }), 403, ""],
  ] as const;
  for (const [answer, status, words] of refused) {
    expect([answer.status, visibleText(await answer.text())]).toEqual([
      status,
      expect.stringContaining(words),
    ]);
  }
  expect(site.core.db.prepare("SELECT count(*) AS n FROM prompts").get()).toEqual({ n: 0 });
  // A new version can come from a file too. Fields that are not in the file keep their values.
  const path = pathOf(await ada.submit(await ada.open("/prompts/new"), "/prompts", PROMPT));
  const revise = await ada.open(`${path}/revise`);
  const again = await sendForm(site, ada, revise, `${path}/file`, {}, Buffer.from("Another text"));
  const form = await again.text();
  expect(form).toContain("Another text</textarea>");
  expect(form).toContain(`value="${PROMPT.title}"`);
});
