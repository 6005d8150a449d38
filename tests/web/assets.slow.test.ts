import { expect, test } from "bun:test";
import { PAGES } from "../../src/web/pages/index.ts";
import { openTestServer } from "../support.ts";
import { addSampleContent } from "./sample-site.ts";
import { attributesOf, openSite, visit } from "./support.ts";

test("files that browsers request on their own exist, may be cached for a day, and cost nothing to request again", async () => {
  await using server = openTestServer();
  for (const [path, type] of [
    ["/favicon.ico", "image/vnd.microsoft.icon"],
    ["/favicon.svg", "image/svg+xml"],
    ["/robots.txt", "text/plain; charset=utf-8"],
  ]) {
    const answer = await fetch(server.url + path);
    const said = [answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")];
    expect(said).toEqual([200, type ?? "", "public, max-age=86400"]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    const etag = answer.headers.get("etag") ?? "";
    const again = await fetch(server.url + path, { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect(again.headers.get("cache-control")).toBe("public, max-age=86400");
  }
});

// docs/contract.md#3.5
test("the first page of a guest costs one request, including its files and those that browsers request on their own", async () => {
  await using site = openSite();
  const address = { "x-forwarded-for": "203.0.113.7" };
  const leftAfter = async (path: string) => {
    const answer = await fetch(site.url + path, { headers: address });
    await answer.arrayBuffer();
    return [path, answer.status, Number(answer.headers.get("x-ratelimit-remaining"))];
  };
  const page = await fetch(site.url, { headers: { ...address, accept: "text/html" } });
  const left = Number(page.headers.get("x-ratelimit-remaining"));
  const html = await page.text();
  const named = [
    ...(await attributesOf(html, "link:not([rel=alternate], [rel=canonical])", "href")),
    ...(await attributesOf(html, "script[src]", "src")),
  ];
  expect(named.length).toBe(5);
  const requests = [
    "/favicon.ico",
    "/icon-192.png",
    "/push-worker.js",
    "/assets/guildhall.js",
    "/assets/passkeys.js",
  ];
  for (const path of [...named, ...requests]) expect(await leftAfter(path)).toEqual([path, 200, left]);
  expect(await leftAfter("/assets/none.css")).toEqual(["/assets/none.css", 404, left - 1]);
});

test("a page of /docs and GraphiQL cost one request each, with their files", async () => {
  await using site = openSite();
  const headers = { "x-forwarded-for": "203.0.113.7", accept: "text/html" };
  const ask = async (path: string) => {
    const answer = await fetch(site.url + path, { headers });
    const left = Number(answer.headers.get("x-ratelimit-remaining"));
    return { status: answer.status, left, text: await answer.text() };
  };
  for (const path of ["/docs", "/graphql"]) {
    const { left, text } = await ask(path);
    const named = [
      ...(await attributesOf(text, "link[rel=stylesheet]", "href")),
      ...(await attributesOf(text, "script[src]", "src")),
    ];
    expect(named.length).toBeGreaterThan(0);
    for (const file of named) {
      const answer = await ask(file);
      expect([file, answer.status, answer.left]).toEqual([file, 200, left]);
    }
  }
});

test("an address without remaining requests still gets the files of a page", async () => {
  await using site = openSite();
  const headers = { "x-forwarded-for": "203.0.113.7" };
  const statusOf = async (path: string) => (await fetch(site.url + path, { headers })).status;
  while ((await statusOf("/about")) !== 429);
  expect(await statusOf("/assets/guildhall.css")).toBe(200);
  expect(await statusOf("/about")).toBe(429);
});

test("the icon file has two pictures of 16 and 32 px, with correct lengths", async () => {
  await using server = openTestServer();
  const bytes = Buffer.from(await (await fetch(`${server.url}/favicon.ico`)).arrayBuffer());
  expect([bytes.readUInt16LE(0), bytes.readUInt16LE(2), bytes.readUInt16LE(4)]).toEqual([0, 1, 2]);
  let end = 6 + 2 * 16;
  for (const [i, size] of [16, 32].entries()) {
    const entry = bytes.subarray(6 + i * 16, 22 + i * 16);
    expect([entry[0], entry[1], entry.readUInt32LE(12)]).toEqual([size, size, end]);
    const picture = bytes.subarray(end, end + entry.readUInt32LE(8));
    expect(picture.subarray(1, 4).toString()).toBe("PNG");
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([size, size]);
    expect(picture.subarray(-8, -4).toString()).toBe("IEND");
    end += picture.length;
  }
  expect(end).toBe(bytes.length);
});

test("robots may read public pages, but not personal pages, forms or endless lists", async () => {
  await using site = openSite();
  const { pathOf } = await addSampleContent(site);
  const mayRead = reader(await (await fetch(`${site.url}/robots.txt`)).text());
  const open = PAGES.filter(
    ({ method, access }) => method === "GET" && (access === "anyone" || access === "reader"),
  );
  const forms = ["/sign-in", "/sign-up", "/setup", "/recover", "/recover/mail", "/report/:id"];
  // Robots may not read personal pages, pages linked from mail, and earlier versions.
  const own = ["/sign-up/waiting", "/mail/confirm", "/mail/not-me", "/mail/unsubscribe"];
  const apart = [...own, "/posts/:id/history", "/prompts/:id/compare"];
  for (const route of PAGES.filter(({ method }) => method === "GET")) {
    const isFor = open.includes(route) && ![...forms, ...apart].includes(route.path);
    expect([route.path, mayRead(pathOf(route).split("?")[0] ?? "")]).toEqual([route.path, isFor]);
  }
  for (const path of ["/oauth/device", "/oauth/consent/abc", "/graphql", "/v1/feed", "/v1/openapi.json"])
    expect([path, mayRead(path)]).toEqual([path, false]);
  for (const path of ["/?cursor=abc", "/jobs?q=rust&page=2", "/@ada?cursor=x", "/sign-in?next=/jobs"])
    expect([path, mayRead(path)]).toEqual([path, false]);

  // Robots may read the assets of these pages, and the API reference.
  const { html } = await visit(site).open("/");
  const named = [...html.matchAll(/<link [^>]*href="([^"]+)"/g)]
    .map(([, href = ""]) => href)
    .filter((href) => href.startsWith("/"));
  // The page names seven files: the stylesheet, the font, the icons, the manifest and two feeds.
  expect(named).toHaveLength(7);
  for (const path of [...named, "/docs", "/docs/docs.css?v=1", "/favicon.ico"])
    expect([path, mayRead(path)]).toEqual([path, true]);
});

/** RFC 9309 §2.2.2: the longest matching rule decides. A path without a matching rule is allowed. */
function reader(text: string): (path: string) => boolean {
  const rules = [...text.matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(([, verb, pattern = ""]) => ({
    allows: verb === "Allow",
    length: pattern.length,
    fits: new RegExp(`^${pattern.replace(/[.?+()[\]]/g, "\\$&").replaceAll("*", ".*")}`),
  }));
  expect(rules.length).toBeGreaterThan(0);
  expect(text).toContain("User-agent: *\n");
  return (path) => {
    const [first] = rules.filter(({ fits }) => fits.test(path)).toSorted((a, b) => b.length - a.length);
    return first?.allows ?? true;
  };
}
