// Tests docs/contract.md#9.7.
import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { messagesOf } from "../../src/locale/messages.ts";
import {
  createAccountOf,
  openSite,
  signedInAs,
  type ShownPage,
  signIn,
  tokenOf,
  visit,
  visibleText,
} from "./support.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";

const LONG = "x".repeat(300 * 1024);

test("shows a browser every error as a page with its status, from 400 to 409", async () => {
  await using site = openSite();
  createBuilder(site.core, OPERATOR, { username: "bob", name: "Bob", role: "member" });
  await createAccountOf(site, "ada");
  const [ada, guest] = [signedInAs(site, "ada"), visit(site)];
  const form_token = tokenOf(await ada.open("/"));
  const shown: [status: number, page: ShownPage][] = [
    [404, await ada.open("/nowhere")],
    [404, await ada.open("/posts/post_00000000000000000000000000")],
    [404, await ada.open("/%ff")],
    [404, await ada.open("/docs/nowhere")],
    [404, await ada.open("/", { method: "PUT" })],
    [404, await ada.post("/nowhere", {})],
    [404, await ada.open("/admin")],
    [400, await ada.open("/?cursor=x")],
    [400, await ada.open("/jobs?cursor=x&q=loom")],
    [400, await ada.post("/posts", { text: LONG, form_token })],
    [400, await ada.open("/posts", { method: "POST", body: "{}" })],
    [400, await ada.post("/posts", { text: "", form_token })],
    [400, await ada.post("/posts", { text: "x", tags: "a b c d e f", form_token })],
    [403, await ada.post("/posts", { text: "x", form_token: "x" })],
    [403, await ada.post("/posts", { text: "x", form_token }, { "sec-fetch-site": "cross-site" })],
    [
      401,
      await guest.submit(await guest.open("/sign-in"), "/sign-in", { username: "ada", password: "wrong" }),
    ],
  ];
  for (const [status, page] of shown) {
    expectPage(page, status);
    expect(visibleText(page.html)).not.toMatch(/`|UTF-8|form-urlencoded|[a-z]_[a-z]/);
  }
});

test("tells a browser over the rate limit when to retry, and admits it then", async () => {
  await using site = openSite();
  const headers = { accept: "text/html", "x-forwarded-for": "203.0.113.77" };
  const ask = (path: string): Promise<Response> => fetch(`${site.url}${path}`, { headers });
  for (const path of ["/", "/docs", "/sign-in", "/settings/account"]) {
    let answer = await ask(path);
    for (let i = 0; answer.status !== 429 && i < 500; i++) answer = await ask(path);
    const text = visibleText(await answer.text());
    expect([answer.status, answer.headers.get("content-type")]).toEqual([429, "text/html; charset=utf-8"]);
    const seconds = Number(answer.headers.get("retry-after"));
    expect(text).toContain(messagesOf("en").refusals.titles.rate_limited);
    expect(text).toContain(`Wait ${seconds} second`);
    expect(answer.headers.getSetCookie()).toEqual([]);
    site.clock.pass(seconds * 1000);
    expect((await ask(path)).status).toBe(200);
  }
});

test("shows an internal error as a page without details, also if the session cannot be read", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const ada = visit(site);
  await signIn(ada, "ada");
  site.core.db.prepare("ALTER TABLE sessions RENAME TO broken").run();
  const page = await ada.open("/");
  expectPage(page, 500);
  expect(visibleText(page.html)).not.toMatch(/sqlite|sessions|no such/i);
  expect(visibleText(page.html)).toContain(page.headers.get("x-request-id") ?? "?");
});

test("a client that does not ask for a page gets the error body", async () => {
  await using site = openSite();
  const answer = await fetch(`${site.url}/nowhere`, { headers: { accept: "application/json" } });
  expect([answer.status, await answer.json()]).toEqual([
    404,
    expect.objectContaining({ error: "not_found" }),
  ]);
});

function expectPage({ address, status, headers, html }: ShownPage, expected: number): void {
  expect([address, status, headers.get("content-type")]).toEqual([
    address,
    expected,
    "text/html; charset=utf-8",
  ]);
  expect(html).toStartWith("<!doctype html>");
  expect(html).toContain("</main>");
}
