import { expect, test } from "bun:test";
import { BUILDER_SCOPES, SCOPE_NAMES } from "../../src/core/identity/access/scopes.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { addSampleContent } from "./sample-site.ts";
import { attributesOf, openSite, signedInAs, type Site, tokenOf, unescape } from "./support.ts";
import { createMemberToken } from "../support.ts";

/** Parses a documented `curl` line like a shell. */
function requestOf(line: string): { address: string; init: RequestInit } {
  const words = [...line.replaceAll("\\\n", " ").matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|([^\s'"]+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? "",
  );
  const headers = new Headers();
  let [address, body]: [string, string | undefined] = ["", undefined];
  for (let i = 1; i < words.length; i++) {
    const word = words[i] ?? "";
    if (word === "-H") {
      const [name = "", value = ""] = (words[++i] ?? "").split(/: (.*)/s);
      headers.set(name, value);
    } else if (word === "-d") body = words[++i];
    else if (/^https?:/.test(word)) address = word;
  }
  return { address, init: { headers, ...(body === undefined ? {} : { method: "POST", body }) } };
}

/** Runs the command with this server's address and token in place of the placeholders. */
async function run(site: Site, line: string, token: string): Promise<string> {
  const { address, init } = requestOf(
    line.replace(/guild_pat_…|<ACCESS_TOKEN>|\$TOKEN/, token).replace(/http:\/\/127\.0\.0\.1:8787/, site.url),
  );
  const answer = await fetch(address, init);
  return `${answer.status} ${await answer.text()}`;
}

test("“Try it” on the page of a new token works with that token, for every scope", async () => {
  await using site = openSite();
  const { caller } = await addSampleContent(site);
  createPost(site.core, caller, { text: "A loom" });
  for (const [username, scopes] of SCOPE_NAMES.map((scope) => ["root", [scope]] as const).concat([
    ["root", ["feed:write", "jobs:read"] as never],
  ])) {
    const visitor = signedInAs(site, username);
    const form_token = tokenOf(await visitor.open("/settings/tokens/new"));
    const draft = { form_token, name: "script", scopes, days: "7" };
    const page = await visitor.post("/settings/tokens", draft);
    const line = unescape(
      /<pre[^>]*aria-label="A request with the token"[^>]*>([^<]*)</.exec(page.html)?.[1] ?? "",
    );
    expect([scopes, line]).toEqual([scopes, expect.stringContaining("curl ")]);
    const text = await run(site, line, "");
    expect([scopes, text]).toEqual([scopes, expect.stringMatching(/^200 /)]);
    expect([scopes, text]).toEqual([scopes, expect.not.stringContaining('"errors"')]);
  }
});

test("the authorization address on an app's page leads to its consent question", async () => {
  await using site = openSite();
  const { ada, pathOf } = await addSampleContent(site);
  const page = await ada.open(pathOf({ path: "/settings/apps/:id" }));
  const address = unescape(
    /<pre[^>]*aria-label="Authorization URL"[^>]*>([^<]*)</.exec(page.html)?.[1] ?? "",
  );
  const { pathname, search } = new URL(address.trim());
  const consent = await ada.follow(await ada.open(pathname + search));
  expect([consent.status, consent.address]).toEqual([200, expect.stringMatching(/^\/oauth\/consent\//)]);
  expect(await attributesOf(consent.html, "form", "action")).toContainEqual(consent.address);
});

test("the self-contained commands of the README and the documents work unchanged", async () => {
  await using site = openSite();
  await addSampleContent(site);
  const { token } = createMemberToken(site.core, "ada", BUILDER_SCOPES);
  const lines: string[] = [];
  for (const file of ["README.md", "docs/graphql.md"]) {
    const text = await Bun.file(new URL(`../../${file}`, import.meta.url)).text();
    lines.push(...[...text.matchAll(/^curl (?:.*\\\n)*.*$/gm)].map(([line]) => line));
  }
  const ready = lines.filter((line) => line.includes("127.0.0.1:8787"));
  expect(ready.length).toBeGreaterThanOrEqual(2);
  for (const line of ready) {
    const text = await run(site, line, token);
    expect([line, text]).toEqual([line, expect.stringMatching(/^200 /)]);
    expect([line, text]).toEqual([line, expect.not.stringContaining('"errors"')]);
  }
});
