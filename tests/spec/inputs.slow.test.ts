// Tests docs/contract.md#2.2, docs/contract.md#2.3, docs/contract.md#2.4 and docs/contract.md#2.5.
import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { linksIn, renderMarkdown } from "../../src/core/base/markdown.ts";
import { ROUTES } from "../routes.ts";
import { graph } from "../graphql/ask.ts";
import { createMember, openTestServer } from "../support.ts";
import { call, refusalOf } from "./client.ts";
import { jobDraft, publishJobs } from "./rows.ts";

test("a post of invisible characters is empty; a single visible character is enough", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const empty = [
    "\u200b",
    "\u200b\u2060\ufeff",
    " \u00ad\n",
    "\u2800\u3164\uffa0\u115f",
    "\u202e\u2066\u2069",
    "\u034f\u17b4",
    "\u{e0001}\u{e0061}",
    "\ufff9\ufffb",
  ];
  for (const text of empty)
    expect([text, (await call(server, token, "POST /feed", { body: { text } })).body.code]).toEqual([
      text,
      "text_blank",
    ]);
  for (const text of ["\u200ba", "👩\u200d🚀", "\u0301", "·", "\ue000"])
    expect([text, (await call(server, token, "POST /feed", { body: { text } })).status]).toEqual([text, 201]);
});

test("web addresses have no user name, no blanks and no invisible characters; the scheme may have any case", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const bad = [
    "https://paypal.example@evil.example/",
    "https://a:b@evil.example/",
    "https://@evil.example/",
    "https://a b.example/",
    "https://a.example/x y",
    "https://a.example/\u00a0",
    "https://a.example/\u202egpj.exe",
    "https://a.example/\u200b",
    "https://a.example/\u2066x\u2069",
    "https://a.example\\@b.example/",
    "http://a.example/",
    "javascript:alert(1)//https://a.example/",
    " https://a.example/",
    "https:a.example",
    "https:///a.example",
    "https://",
  ];
  const good = [
    "https://a.example",
    "HTTPS://a.example/x",
    "Https://a.example:8443/?u=a@b.example",
    "https://a.example/@ada",
    "https://bücher.example/ä",
  ];
  for (const url of [...bad, ...good]) {
    const isGood = good.includes(url);
    const draft = { ...jobDraft(), company: { name: "Loaf", slug: "loaf" }, apply_url: url };
    const queries = [
      ["POST /jobs", draft, "apply_url"],
      ["POST /feed", { text: "hi", media: [url] }, "media.0"],
      ["POST /profiles/me/projects", { title: "loaf", url }, "url"],
    ] as const;
    for (const [request, body, field] of queries)
      expect([request, url, await refusalOf(server, token, request, { body })]).toEqual([
        request,
        url,
        isGood ? "201" : `400 ${field}`,
      ]);
  }
});

test("a job may take applications at a plain email address without prefilled fields", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const good = ["mailto:jobs@tidewater.example", "MailTo:jobs+rust@mail.tidewater-systems.example.com"];
  const bad = [
    "jobs@tidewater.example",
    "mailto:",
    "mailto:jobs",
    "mailto:jobs@localhost",
    "mailto:jobs@tidewater.example?subject=Hello&bcc=all@evil.example",
    "mailto:jobs@tidewater.example,eve@evil.example",
    "mailto:jobs%0Abcc:eve@evil.example",
    "mailto://jobs@tidewater.example",
    "mailto:jobs@tide\u200bwater.example",
    "mailto:jobs@tidewater.example#x",
    "mailto:jobs@tidewater.example ",
    `mailto:${"j".repeat(250)}@tidewater.example`,
    "tel:+49301234",
  ];
  for (const apply_url of [...good, ...bad]) {
    const draft = { ...jobDraft(), company: { name: "Loaf", slug: "loaf" }, apply_url };
    const outcome = await refusalOf(server, token, "POST /jobs", { body: draft });
    expect([apply_url, outcome]).toEqual([apply_url, good.includes(apply_url) ? "201" : "400 apply_url"]);
  }
  // Fields other than `apply_url` accept only web URLs.
  const post = { text: "hi", media: ["mailto:jobs@tidewater.example"] };
  expect(await refusalOf(server, token, "POST /feed", { body: post })).toBe("400 media.0");
  const { data } = await (await server.request(token, "/jobs/mine")).json();
  expect(data.map(({ apply_url }: { apply_url: string }) => apply_url).toSorted()).toEqual(good.toSorted());
  const { body } = await graph(server, token, `{ node(id: "${data[0].id}") { ... on Job { applyUrl } } }`);
  expect(body.data.node.applyUrl).toBe(data[0].apply_url);
});

test("a list filter is a set: order and repetitions keep the cursor valid", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  publishJobs(server, ...Array.from({ length: 6 }, (_, i) => ({ stack: i % 2 ? ["rust"] : ["go"] })));
  const first = await call(
    server,
    token,
    "GET /jobs?stack=go&stack=rust&seniority=senior&seniority=lead&limit=2",
  );
  const ways = [
    "stack=rust&stack=go&seniority=lead,senior",
    "stack=rust,go,rust&seniority=senior,lead",
    "stack[]=go&stack[]=rust&seniority=lead&seniority=senior",
  ];
  const pages = await Promise.all(
    ways.map(async (way) =>
      (await call(server, token, `GET /jobs?${way}&limit=2&cursor=${first.body.next}`)).body.data.map(
        ({ id }: { id: string }) => id,
      ),
    ),
  );
  expect(pages[0]).toHaveLength(2);
  expect(new Set(pages.map((page) => page.join())).size).toBe(1);
  expect(
    await refusalOf(server, token, `GET /jobs?stack=go&seniority=senior&cursor=${first.body.next}`),
  ).toBe("400 cursor");
});

test("an empty filter is ignored in every list and over both transports; an empty cursor or number is 400", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  createPost(server.core, caller, { text: "hi" });
  publishJobs(server, {});
  await call(server, token, "POST /prompts", { body: { title: "t", body: "b", model: "m", category: "c" } });
  const counts = async (path: string) =>
    (await call(server, token, `GET ${path}`)).body.data.length as number;
  for (const path of [
    "/feed?tag=",
    "/feed?author=",
    "/feed?tag=&author=",
    "/jobs?q=",
    "/jobs?stack=&city=&seniority=",
    "/jobs?stack[]=&q=",
    "/prompts?model=&category=",
    "/profiles?q=",
  ])
    expect([path, await counts(path)]).toEqual([path, 1]);
  for (const [query, refused] of [
    ["/feed?cursor=", "400 cursor"],
    ["/feed?limit=", "400 limit"],
    ["/feed?since=", "400 since"],
    ["/jobs?remote=", "400 remote"],
    ["/prompts?min_score=", "400 min_score"],
    ["/feed?tag=&tag=a", "400 tag"],
  ] as const)
    expect([query, await refusalOf(server, token, `GET ${query}`)]).toEqual([query, refused]);
  const graph = async (query: string) => {
    const answer = await fetch(`${server.url}/graphql`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    return (await answer.json()) as { data: Record<string, { edges: unknown[] }>; errors?: unknown };
  };
  const lists = [
    'feed(tag: "", author: "")',
    'jobs(q: "", stack: [""], city: "")',
    'prompts(model: "", category: "")',
    'builders(q: "")',
  ];
  for (const list of lists) {
    const { data, errors } = await graph(`{ found: ${list} { edges { cursor } } }`);
    expect([list, errors, data?.["found"]?.edges.length]).toEqual([list, undefined, 1]);
  }
});

test("Markdown links to deceptive addresses become plain text", () => {
  for (const href of [
    "https://a.example@evil.example/",
    "https://a:b@evil.example",
    "https://x\u2066.example/",
  ])
    expect([href, renderMarkdown(`[words](<${href}>)`)]).toEqual([href, expect.not.stringContaining("<a")]);
  for (const href of ["HTTPS://a.example/", "https://a.example/@ada", "mailto:ada@a.example", "/jobs"])
    expect([href, renderMarkdown(`[words](<${href}>)`)]).toEqual([href, expect.stringContaining("<a")]);
});

const VALUES: readonly unknown[] = ["rust", 5, true, null, {}, []];
const LENGTHS: ReadonlySet<string> = new Set(["list_too_short", "list_too_long", "list_out_of_range"]);

test("docs/contract.md#1.15: a body value of the wrong type is refused for its type, not for its length", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const results: unknown[] = [];
  let lists = 0;
  for (const op of ROUTES) {
    const path = op.path.replace(/\{\w+\}/, op.param?.example ?? "");
    for (const [name, { type }] of Object.entries(op.body?.properties ?? {}))
      for (const value of VALUES) {
        const { status, body } = await call(server, token, `${op.method} ${path}`, {
          body: { [name]: value },
        });
        if (status !== 400 || Array.isArray(value)) continue;
        const [detail] = body.details.filter((detail: { path: string }) => detail.path === name);
        if (LENGTHS.has(detail?.code)) results.push([op.id, name, value, detail.code]);
        if (type !== "array" || !detail) continue;
        lists++;
        expect([op.id, name, detail.code]).toEqual([op.id, name, "not_list"]);
      }
  }
  expect([results, lists > 20]).toEqual([[], true]);
  const long = await call(server, token, "POST /feed", {
    body: { text: "a", media: Array(5).fill("https://a.b") },
  });
  expect(long.body.details).toMatchObject([{ path: "media", code: "list_too_long" }]);
});

test("docs/contract.md#2.14: empty items of a list in a query are ignored, in every list and notation", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  publishJobs(server, { stack: ["rust"] }, { stack: ["go"] }, { stack: ["rust", "go"] });
  let lists = 0;
  for (const op of ROUTES)
    for (const [name, schema] of Object.entries(op.query.properties)) {
      if (schema["type"] !== "array") continue;
      lists++;
      const [one = "", two = one] = (schema["examples"]?.[0] ?? schema["items"].enum ?? ["rust"]) as string[];
      const sendQuery = (query: string) => call(server, token, `${op.method} ${op.path}?${query}`);
      for (const [plain, others] of [
        [`${name}=${one}`, [`${one},`, `,${one}`, `${one}&${name}=`, `${one}&${name}[]=`, `,${one},,`]],
        [`${name}=${one},${two}`, [`${one},,${two}`, `${one},&${name}=${two},`]],
      ] as const) {
        const { status, text } = await sendQuery(plain);
        expect([op.id, plain, status]).toEqual([op.id, plain, 200]);
        for (const other of others)
          expect([op.id, other, (await sendQuery(`${name}=${other}`)).text]).toEqual([op.id, other, text]);
      }
      // A plus decodes to a space, which counts as an unknown list item.
      expect([op.id, name, (await sendQuery(`${name}=${one},+`)).status]).toEqual([op.id, name, 400]);
    }
  expect(lists).toBeGreaterThan(0);
});

test("docs/contract.md#4.22: an https address in angle brackets is a link everywhere; other text in angle brackets stays text", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const html = async (text: string): Promise<string> => {
    const { id } = createPost(server.core, caller, { text });
    const query = `query($id: ID!) { post(id: $id) { textHtml } }`;
    const textHtml = (await graph(server, token, query, { variables: { id } })).body.data.post
      .textHtml as string;
    expect(await (await fetch(`${server.url}/posts/${id}`)).text()).toContain(textHtml.trim());
    return textHtml.trim();
  };
  const link = (address: string): string => `<a rel="nofollow noopener ugc" href="${address}">${address}</a>`;
  for (const [address, written] of [
    ["https://a.example"],
    ["HTTPS://a.example/x?b=c&d=e", "HTTPS://a.example/x?b=c&amp;d=e"],
    ["http://a.example/*a*_b_"],
    ["https://social.example/@ada"],
  ] as const) {
    expect(await html(`See <${address}>, **<${address}>**`)).toBe(
      `<p>See ${link(written ?? address)}, <strong>${link(written ?? address)}</strong></p>`,
    );
    expect(linksIn(`<${address}>`)).toEqual([address]);
  }
  for (const text of [
    "<b>x</b>",
    "vector<std::string>",
    "<javascript:alert(1)>",
    "<ftp://a.example>",
    "<ada@a.example>",
    "<https://ada@a.example/>",
    "<https://>",
    "`<https://a.example>`",
    "<!-- x -->",
  ]) {
    const shown = Bun.escapeHTML(text.replaceAll("`", ""));
    expect(await html(text)).toBe(text.includes("`") ? `<p><code>${shown}</code></p>` : `<p>${shown}</p>`);
    expect(linksIn(text)).toEqual([]);
  }
});
