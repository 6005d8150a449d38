// docs/contract.md#2.6 and docs/contract.md#2.10: slugs.
import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { Slug } from "../../src/core/base/check.ts";
import { slugOf, slugsOf } from "../../src/core/base/slugs.ts";
import { graph } from "../graphql/ask.ts";
import { expectRefusal } from "../http/raw.ts";
import { createMember, openTestServer } from "../support.ts";
import { openSite, signUpMember, visibleText } from "../web/support.ts";

test("converts names as users type them: meaningful symbols, capitals, diacritics and hash signs", () => {
  const cases: Record<string, string> = {
    Rust: "rust",
    "#rust": "rust",
    "C++": "cpp",
    "c#": "csharp",
    "F#": "fsharp",
    ".NET": "dotnet",
    "ASP.NET": "asp.net",
    "Node.js": "node.js",
    "Objective-C": "objective-c",
    "notepad++": "notepadpp",
    "CI/CD": "ci-cd",
    "R&D": "r-and-d",
    "São Paulo": "sao-paulo",
    Łódź: "lodz",
    Straße: "strasse",
    ｒｕｓｔ: "rust",
    snake_case: "snake-case",
    "C♯": "csharp",
    // Typed with a Cyrillic С.
    "С++": "cpp",
    "C++17": "cpp17",
    ".NET Core": "dotnet-core",
    "C#/.NET": "csharp-dotnet",
    Überblick: "uberblick",
    Привет: "privet",
    "rust-язык": "rust-yazyk",
    ελληνικά: "ellinika",
    東京: "dongjing",
    サーバー: "saba",
    한국어: "hangugeo",
    हिन्दी: "hindi",
    עברית: "vryt",
    "rust🚀": "rust",
    "don’t": "dont",
    "...": "",
    "+++": "",
    "$%&": "",
    "🚀": "",
  };
  for (const [typed, slug] of Object.entries(cases)) expect([typed, slugOf(typed)]).toEqual([typed, slug]);
  expect(slugOf("щ".repeat(50))).toBe("shch".repeat(50));
  for (const slug of Object.values(cases)) if (slug !== "") expect(Value.Check(Slug(), slug)).toBe(true);
  expect(slugsOf("C++, Node.js #rust  c#,rust")).toEqual(["cpp", "node.js", "rust", "csharp"]);
  expect(slugsOf("#a#b")).toEqual(["a", "b"]);
  expect(slugsOf(" , # ")).toEqual([]);
  expect(slugsOf("c++ cpp С++")).toEqual(["cpp"]);
  expect(slugsOf("!? go")).toEqual(["!?", "go"]);
});

test("leaves names unchanged that no valid list contains", () => {
  expect(slugOf("a".repeat(501))).toBe("");
  const names = Array.from({ length: 200 }, (_, i) => `A${i}`);
  expect(slugsOf(names.join(" "))).toEqual(names.map((name, i) => (i < 100 ? name.toLowerCase() : name)));
});

test("leaves a slug unchanged", () => {
  for (const slug of ["rust", "node.js", "a-b.c-1", "0", "x".repeat(50)]) expect(slugOf(slug)).toBe(slug);
});

test("a form accepts tags as users type them, and explains what it cannot convert", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const posted = await ada.submit(await ada.open("/"), "/posts", {
    text: "A loom",
    tags: "C++ #Rust, Node.js",
  });
  for (const tag of ["cpp", "rust", "node.js"]) expect(posted.html).toContain(`/tags/${tag}"`);
  const page = await ada.open(`/tags/${encodeURIComponent("C++")}`);
  expect(page.location).toBe("/tags/cpp");
  expect((await ada.open("/search?q=tag:C%2B%2B")).html).toContain("A loom");
  const refused = await ada.submit(await ada.open("/"), "/posts", { text: "A loom", tags: "日本語, !?" });
  expect([refused.status, visibleText(refused.html)]).toEqual([
    400,
    expect.stringContaining("Use letters from a to z and digits"),
  ]);
});

test("REST and GraphQL accept only slugs, suggest the slug of a known name, and repeat no other text", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const refused = async (tag: string) => {
    const answer = await server.request(token, "/feed", { method: "POST", body: { text: "x", tags: [tag] } });
    return JSON.parse(await expectRefusal(answer, 400));
  };
  expect(await refused("C++")).toMatchObject({
    code: "not_slug_but_name",
    params: { slug: "cpp" },
    message: "`tags.0` must be written as the slug `cpp`.",
  });
  const query =
    'mutation { createPost(input: { text: "x", tags: ["Node.js"] }) { errors { code params path } } }';
  expect((await graph(server, token, query)).body.data.createPost.errors).toEqual([
    { code: "not_slug_but_name", params: { slug: "node.js" }, path: ["tags", "0"] },
  ]);
  const secret = await refused("Hunter2-Secret");
  expect(secret.code).toBe("not_slug");
  expect(JSON.stringify(secret)).not.toMatch(/hunter2/i);
});
