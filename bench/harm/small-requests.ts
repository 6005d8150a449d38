/** A request of at most 256 KiB, built so that the server needs as much work as possible for this size. */
export interface SmallRequest {
  path: string;
  /** Media type of the body. Default: JSON. */
  type?: string;
  /** Returns the body. `n` differs for each request, so that the server cannot reuse a cached result. */
  body: (n: number) => string;
}

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=b";
const MAX_BYTES = 256 * 1024;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const join = (count: number, part: (i: number) => string, between = " "): string =>
  numbers(count).map(part).join(between);
/** Repeats `part` until the body is full. `around` bytes remain for the rest of the body. */
const filled = (part: string, around = 200): string =>
  part.repeat(Math.floor((MAX_BYTES - around) / part.length));
const graph = (query: string, variables: object = {}): SmallRequest => ({
  path: "/graphql",
  body: (n) => JSON.stringify({ query: `${query} #${n}`, variables }),
});
const words = (count: number, letters = 1): string[] => numbers(count).map(() => "x".repeat(letters));

/**
 * The most expensive small requests. If ten copies of one arrive at once, other members must not be delayed
 * (docs/threats.md#G11).
 */
export const SMALL: Readonly<Record<string, SmallRequest>> = {
  "one small query": graph("{ rateLimit { cost } }"),
  "a post with 60,000 tags": {
    path: "/v1/feed",
    body: () => JSON.stringify({ text: "a", tags: words(60_000) }),
  },
  "a post with 60,000 tags that are not text": {
    path: "/v1/feed",
    body: () => JSON.stringify({ text: "a", tags: numbers(60_000).map(() => null) }),
  },
  "a post with 4,000 media": {
    path: "/v1/feed",
    body: () =>
      JSON.stringify({ text: "a", media: numbers(4_000).map((i) => ({ id: `media_${i}`, alt: "a" })) }),
  },
  "an endpoint with 60,000 events": {
    path: "/v1/webhooks",
    body: () => JSON.stringify({ url: "https://example.com/", events: words(60_000) }),
  },
  "85,000 empty lists in an unknown field": {
    path: "/v1/feed",
    body: () => `{"text":"","x":[${filled("[],").slice(0, -1)}]}`,
  },
  "20,000 unknown fields": {
    path: "/v1/feed",
    body: () => `{"text":"",${join(20_000, (i) => `"a${i}":{}`, ",")}}`,
  },
  "brackets 30 deep": {
    path: "/v1/feed",
    body: () => `{"text":"","x":[${filled(`${"[".repeat(29)}${"]".repeat(29)},`).slice(0, -1)}]}`,
  },
  "a text of 240,000 letters": {
    path: "/v1/feed",
    body: () => JSON.stringify({ text: "\u{1f600}".repeat(60_000) }),
  },
  "a name of 240,000 letters": {
    path: "/v1/job-filters",
    body: () => JSON.stringify({ name: "\u200d".repeat(80_000) }),
  },
  "a job of 20,000 letters": {
    path: "/v1/jobs",
    body: () =>
      JSON.stringify({
        title: "Engineer",
        company: { name: "Tidewater" },
        location: "Lisbon",
        remote: true,
        seniority: "senior",
        stack: ["rust"],
        description: join(3_300, (i) => `w${i}`, " ").slice(0, 20_000),
        apply_url: "https://example.com/",
      }),
  },
  "a form of 128,000 fields": { path: "/sign-in", type: FORM, body: () => filled("a&") },
  "a form of percent signs": { path: "/sign-in", type: FORM, body: () => `a=${filled("%41")}` },
  "a token form of 128,000 fields": { path: "/v1/oauth/token", type: FORM, body: () => filled("a&") },
  "an authorization form of 128,000 fields": {
    path: "/v1/oauth/authorize",
    type: FORM,
    body: () => filled("a&"),
  },
  "a multipart form of 2,000 parts": {
    path: "/v1/media",
    type: MULTIPART,
    body: () => `${filled('--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n')}--b--\r\n`,
  },
  "a passkey response of nested lists": {
    path: "/sign-in/passkey",
    type: FORM,
    body: () => `response=${filled("[],")}`,
  },
  "a variable of 60,000 texts": graph(
    'mutation($t: [String!]) { createPost(input: { text: "a", tags: $t }) { post { id } } }',
    { t: words(60_000) },
  ),
  "a filter of 60,000 texts": graph("query($t: [String!]) { jobs(stack: $t) { edges { cursor } } }", {
    t: words(60_000),
  }),
  "9,000 node ids": graph("query($t: [ID!]!) { nodes(ids: $t) { id } }", { t: words(9_000, 24) }),
  "60,000 node ids": graph("query($t: [ID!]!) { nodes(ids: $t) { id } }", { t: words(60_000) }),
  "an undeclared variable of 60,000 texts": graph("{ rateLimit { cost } }", { t: words(60_000) }),
  "a variable of 40,000 items of the wrong type": graph(
    "query($t: [Int!]) { feed(first: $t) { edges { cursor } } }",
    { t: numbers(40_000).map(() => "a") },
  ),
  "a document of 240,000 commas": graph(`{ rateLimit { cost } ${",".repeat(240_000)} }`),
  "a document of 120,000 lines": graph(`{ rateLimit { cost } ${"\n".repeat(120_000)} }`),
  "a comment of 240,000 letters": graph(`{ rateLimit { cost } #${"a".repeat(240_000)}\n }`),
  "a block text of 80,000 lines": graph(`{ feed(tag: """${" \n".repeat(80_000)}""") { edges { cursor } } }`),
  "a name of 240,000 letters in a document": graph(`{ ${"a".repeat(240_000)} }`),
  "900 unknown names of 250 letters": graph(`{ ${join(900, (i) => `${"a".repeat(250)}${i}`)} }`),
  "1,990 braces that are not a document": graph("{ ".repeat(1_990)),
  "a comment of 80,000 lines": graph(`{ rateLimit { cost } ${"#a\n".repeat(80_000)} }`),
  "five errors after 120,000 lines": graph(`${"\n".repeat(120_000)}{ a b c d e f }`),
  "a syntax error after 120,000 lines": graph(`${"\n".repeat(120_000)}{ $ }`),
  "a list of 1,900 items in a document": graph(
    `{ jobs(stack: [${join(1_900, () => `"${"a".repeat(110)}"`)}]) { nodes { id } } }`,
  ),
  "20 fragments of 20 fragments each": graph(
    `{ feed { nodes { ${join(20, (i) => `...f${i}`)} } } } ${join(20, (i) => `fragment f${i} on Post { author { ${join(20, (j) => `...g${j}`)} } }`)} ${join(20, (j) => `fragment g${j} on Builder { id }`)}`,
  ),
  "60 fragments of 10 fragments each": graph(
    `{ feed { nodes { ${join(60, (i) => `...f${i}`)} } } } ${join(60, (i) => `fragment f${i} on Post { author { ${join(10, (j) => `...g${j}`)} } }`)} ${join(10, (j) => `fragment g${j} on Builder { id }`)}`,
  ),
  "100 objects with a fragment each": graph(
    `{ feed { nodes { ${join(100, (i) => `parent { ...f${i} }`)} } } } ${join(100, (i) => `fragment f${i} on Post { id }`)}`,
  ),
  "60 fields with an argument of 1,500 letters": graph(
    `{ feed { nodes { ${join(60, () => `replies(first: 1, after: "${"x".repeat(1_500)}") { nodes { id } }`)} } } }`,
  ),
};
