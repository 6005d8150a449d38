// Tests docs/contract.md#12.36.
import { expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { hasChromium, newContext, REPORT_VIOLATIONS } from "../browser.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { createMember, openTestServer } from "../support.ts";

test.skipIf(!hasChromium)(
  "a user opens /graphql, enters a token and runs the example; the schema loads, and no other origin is contacted",
  async () => {
    await using server = openTestServer();
    const { token, caller } = createMember(server.core, "ada");
    createPost(server.core, caller, { text: "seen in the browser" });
    await using context = await newContext();
    const { page, elsewhere, complaints } = await arrive(context, server.url);
    const schema = page.waitForResponse(
      async (answer) =>
        answer.request().method() === "POST" &&
        answer.status() === 200 &&
        (await answer.text()).includes('"__schema"'),
    );
    // The headers editor is already open. Its cursor is before the closing quote of “Bearer ”, where the
    // token belongs.
    await typeToken(page, token);
    await schema;
    const answered = page.waitForResponse(
      async (answer) =>
        answer.request().method() === "POST" && (await answer.text()).includes("seen in the browser"),
    );
    await page.getByRole("button", { name: /^Execute query/ }).click();
    expect((await answered).status()).toBe(200);
    expect(await (await answered).json()).not.toHaveProperty("errors");
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  },
  120_000,
);

test.skipIf(!hasChromium)(
  "a second visit restores the open tab, edited or not, but no token",
  async () => {
    await using server = openTestServer();
    const { token } = createMember(server.core, "ada");
    await using context = await newContext();
    const { page } = await arrive(context, server.url);
    await typeToken(page, token);
    await stored(page, "query Welcome");
    await page.close();

    const { page: again } = await arrive(context, server.url);
    expect(await again.getByRole("tab").allTextContents()).toEqual(["Welcome"]);
    expect(await textOf(again, 0)).toContain("query Welcome");
    await again.locator(".graphiql-editor .view-lines").first().click();
    await again.keyboard.press("ControlOrMeta+A");
    await again.keyboard.insertText("query Mine { rateLimit { remaining } }");
    await stored(again, "query Mine");
    await again.reload();
    await again.getByRole("button", { name: /^Execute query/ }).waitFor();
    expect(await again.getByRole("tab").allTextContents()).toEqual(["Mine"]);
    expect(await textOf(again, 0)).toContain("query Mine");
    expect(await again.evaluate("JSON.stringify(localStorage)")).not.toContain(token);
  },
  120_000,
);

async function arrive(context: BrowserContext, url: string) {
  const page = await context.newPage();
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    const query = request.url();
    if (!query.startsWith(url) && !/^(?:data|blob):/.test(query)) elsewhere.push(query);
  });
  page.on("console", (message) => {
    if (message.type() === "error" && message.text().startsWith("policy")) complaints.push(message.text());
  });
  await page.addInitScript(REPORT_VIOLATIONS);
  await page.goto(`${url}/graphql`);
  await page.getByRole("button", { name: /^Execute query/ }).waitFor();
  await page.locator(".graphiql-editor .view-lines").nth(2).waitFor();
  return { page, elsewhere, complaints };
}

/** Types into the third editor, after the document and the variables. */
async function typeToken(page: Page, token: string): Promise<void> {
  await page.locator(".graphiql-editor .view-lines").nth(2).click();
  for (const key of ["ControlOrMeta+Home", "ArrowDown", "End", "ArrowLeft"]) await page.keyboard.press(key);
  await page.keyboard.insertText(token);
}

/**
 * GraphiQL saves its tabs some time after the last keystroke. The page's CSP forbids Playwright's
 * `waitForFunction`.
 */
async function stored(page: Page, text: string): Promise<void> {
  const isKept = `(localStorage.getItem("graphiql:tabState") ?? "").includes(${JSON.stringify(text)})`;
  await page.evaluate(
    `new Promise((done) => { const look = () => (${isKept} ? done() : setTimeout(look, 50)); look(); })`,
  );
}

/** The editor renders spaces as non-breaking spaces. */
async function textOf(page: Page, editor: number): Promise<string> {
  const lines = page.locator(".graphiql-editor .view-lines").nth(editor);
  return (await lines.innerText()).replaceAll("\u00a0", " ");
}

test("the page is small, runs only this site's scripts, forbids frames and sets no cookie", async () => {
  await using server = openTestServer();
  const answer = await fetch(`${server.url}/graphql`, { headers: { accept: "text/html" } });
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toContain("unsafe-eval");
  expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
  expect(answer.headers.get("x-frame-options")).toBe("DENY");
  expect(answer.headers.get("set-cookie")).toBeNull();
  const page = await answer.text();
  expect(page).not.toMatch(/(?:src|href)="https?:/);
  expect(page.length).toBeLessThan(10_000);
});

test("browsers cache GraphiQL permanently, under a URL with its content hash", async () => {
  await using server = openTestServer();
  const read = async (path: string) => {
    const answer = await fetch(`${server.url}${path}`, { headers: { accept: "text/html, */*" } });
    return { answer, text: await answer.text() };
  };
  const { text: page } = await read("/graphql");
  const addresses = [...page.matchAll(/(?:src|href)="(\/graphql\/[^"]+)"/g)].map(
    ([, address = ""]) => address,
  );
  expect(addresses).toHaveLength(2);
  for (const address of addresses) {
    const { answer, text } = await read(address);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("content-type")).toMatch(/^text\/(?:javascript|css); charset=utf-8$/);
    expect(address).toEndWith(`?v=${Bun.hash(text).toString(36)}`);
    const etag = answer.headers.get("etag") ?? "";
    const again = await fetch(`${server.url}${address}`, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  }
  for (const path of ["/", "/docs", "/about"])
    for (const address of addresses) expect((await read(path)).text).not.toContain(address);
});

test("turning GraphiQL off also removes its files", async () => {
  await using open = openTestServer();
  const page = await (await fetch(`${open.url}/graphql`, { headers: { accept: "text/html" } })).text();
  const [address = ""] = page.match(/\/graphql\/[^"]+/) ?? [];
  expect(address).toStartWith("/graphql/");
  await using server = openTestServer({ env: { GUILDHALL_GRAPHQL_INTROSPECTION: "off" } });
  expect((await fetch(`${server.url}${address}`)).status).toBe(404);
});
