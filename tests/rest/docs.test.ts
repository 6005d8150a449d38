// Tests docs/contract.md#1.7: each error links to the page that explains its code, and the guides are served.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { FAULTS } from "../../src/core/base/refusals/faults.ts";
import { REFUSALS } from "../../src/core/base/refusals/refusals.ts";
import { ERROR_CODES } from "../../src/rest/docs/errors.tsx";
import { DOCS_PAGES } from "../../src/rest/docs/frame.tsx";
import { type TestServer, createMember, openTestServer } from "../support.ts";
import { call } from "../spec/client.ts";
import { unescape } from "../web/support.ts";

async function attributesOf(page: string, selector: string, name: string): Promise<string[]> {
  const values: string[] = [];
  await new HTMLRewriter()
    .on(selector, { element: (element) => void values.push(element.getAttribute(name) ?? "") })
    .transform(new Response(page))
    .text();
  return values;
}

async function textsOf(page: string, selector: string): Promise<string[]> {
  const texts: string[] = [];
  await new HTMLRewriter()
    .on(selector, {
      element: () => void texts.push(""),
      text: ({ text }) => void (texts[texts.length - 1] += text),
    })
    .transform(new Response(page))
    .text();
  return texts.map((text) => text.trim());
}

async function pageAt(server: TestServer, path: string): Promise<string> {
  const response = await fetch(server.url + path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

test("every error code has an anchor on /docs/errors, with its message and the fix", async () => {
  await using server = openTestServer();
  const page = await pageAt(server, "/docs/errors");
  const codes = [...Object.keys(FAULTS), ...Object.keys(REFUSALS)].sort();
  expect((await attributesOf(page, "section.error-code", "aria-labelledby")).sort()).toEqual(codes);
  expect((await attributesOf(page, "section.error-code > h3", "id")).sort()).toEqual(codes);
  const sections = (await textsOf(page, "section.error-code")).map(unescape);
  for (const { code, message, remedy = "" } of ERROR_CODES) {
    const start = `${code}${message.replaceAll("`", "")}`;
    const section = sections.find((text) => text.startsWith(start));
    expect([code, section]).toEqual([code, expect.stringContaining(remedy.replaceAll("`", ""))]);
  }
});

const VERBS =
  "Add Allow Ask Change Check Choose Close Confirm Copy Create Delete Enable Encode End Enter Fetch Keep Leave Make Name " +
  "Open Publish Read Reload Remove Request Reserve Revoke Save Select Send Set Share Split Start Submit Suspend Swap " +
  "Synchronize Treat Try Unblock Unfollow Unsubscribe Upload Use Wait Withdraw Write";
const INSTRUCTION = new RegExp(
  `(?:^|[.] )(?:(?:${VERBS.replaceAll(" ", "|")}|Do not|Go back|Look up|No action|Sign in)\\b|To [^.]+, show)`,
);

/** Returns whether a sentence starts with an instruction or states the rule for a value. */
function namesNextStep(text = ""): boolean {
  return INSTRUCTION.test(text) || /\b(?:must|has to)\b/.test(text);
}

test("each error says what to do, in its message or in a separate remedy", () => {
  const without = ERROR_CODES.filter(
    ({ message, remedy }) => !namesNextStep(message) && !namesNextStep(remedy),
  );
  expect(without.map(({ code }) => code)).toEqual([]);
  // A second instruction could contradict the first.
  const twice = ERROR_CODES.filter(({ message, remedy }) => namesNextStep(message) && remedy !== undefined);
  expect(twice.map(({ code }) => code)).toEqual([]);
});

test("`docs` of an error links to its code", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const ids = new Set(await attributesOf(await pageAt(server, "/docs/errors"), "[id]", "id"));
  const table: [request: string, token: string | undefined, code: string][] = [
    ["GET /feed", undefined, "credentials_invalid"],
    ["GET /reports", token, "scope_missing"],
    ["GET /feed?limit=0", token, "not_whole"],
    ["GET /feed?cursor=x", token, "cursor_foreign"],
    ["GET /jobs/x", token, "job_unknown"],
    ["DELETE /feed/x", token, "post_unknown"],
  ];
  for (const [request, by, code] of table) {
    const { body } = await call(server, by, request);
    expect([request, body.docs]).toEqual([request, `https://guild.test/docs/errors#${code}`]);
    expect(ids.has(code)).toBe(true);
  }
});

test("serves the guides, and every link under /docs leads to an existing page and anchor", async () => {
  await using server = openTestServer();
  const pages = new Map<string, string>();
  const anchors = new Map<string, string[]>();
  for (const { path } of DOCS_PAGES) {
    const page = await pageAt(server, path);
    pages.set(path, page);
    anchors.set(path, await attributesOf(page, "[id]", "id"));
    expect([path, (await textsOf(page, "h1")).length]).toEqual([path, 1]);
    expect(new Set(anchors.get(path)).size).toBe(anchors.get(path)?.length ?? 0);
  }
  for (const [path, page] of pages) {
    for (const href of new Set(await attributesOf(page, "a", "href"))) {
      const to = new URL(href, `https://guild.test${path}`);
      if (to.origin !== "https://guild.test") continue;
      const ids = anchors.get(to.pathname);
      if (ids === undefined) await pageAt(server, to.pathname);
      const exists =
        ids === undefined || to.hash === "" || ids.includes(decodeURIComponent(to.hash.slice(1)));
      expect([path, href, exists]).toEqual([path, href, true]);
    }
  }
  for (const [path, file] of [
    ["/docs", "src/rest/guide.md"],
    ["/docs/oauth", "docs/oauth.md"],
    ["/docs/graphql", "docs/graphql.md"],
  ] as const) {
    const text = readFileSync(join(import.meta.dir, "../..", file), "utf8");
    const former = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
    expect([path, former.filter((id) => !anchors.get(path)?.includes(id))]).toEqual([path, []]);
    expect(pages.get(path)).not.toContain("&lt;a id=");
  }
  expect(pages.get("/docs/oauth")).toContain("/.well-known/oauth-authorization-server");
  expect(pages.get("/docs/graphql")).toContain("Last-Event-ID");
});

test("/docs/samples shows each file of each sample, and the guides and the reference link to each sample", async () => {
  await using server = openTestServer();
  const folder = join(import.meta.dir, "../../docs/samples");
  const files = [...new Glob("**/*.*").scanSync(folder)].map((file) => join(folder, file));
  expect(files.length).toBeGreaterThan(6);
  const shown = await textsOf(await pageAt(server, "/docs/samples"), "pre");
  const texts = files.map((file) => readFileSync(file, "utf8").trim());
  expect(shown.map(unescape).sort()).toEqual(texts.sort());

  const links = new Set<string>();
  for (const path of ["/docs", "/docs/graphql", "/docs/oauth"])
    for (const href of await attributesOf(await pageAt(server, path), "a", "href"))
      links.add(new URL(href, "https://guild.test/docs").href);
  for (const id of await attributesOf(await pageAt(server, "/docs/samples"), "main h2", "id"))
    expect(links).toContain(`https://guild.test/docs/samples#${id}`);
});

test("the OpenAPI document links to the guides on this server", async () => {
  await using server = openTestServer();
  const document = JSON.stringify(await (await fetch(`${server.url}/v1/openapi.json`)).json());
  expect(document).toContain("(https://guild.test/docs/oauth)");
  expect(document).toContain("(https://guild.test/docs/errors)");
  expect(document).not.toMatch(/\]\([\w-]+\.md/);
});
