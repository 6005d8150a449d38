import { expect, test } from "bun:test";
import fc from "fast-check";
import { renderMarkdown } from "../../src/core/ground/markdown.ts";
import { pagesOf } from "./every-page.ts";

const ATTACK = `"'><img src=x onerror=alert(1)></textarea></title><!--&amp;`;

test("nothing that people write becomes markup, on no page", async () => {
  const [known, hostile] = [await pagesOf("Tidewater"), await pagesOf(ATTACK)];
  const expected = new Set<string>();
  // A form comes back with other faults at other words: only kinds of elements and attributes are compared.
  for (const page of known.values()) for (const element of await markupOf(page)) expected.add(element);
  for (const [path, page] of hostile) {
    const foreign = [...(await markupOf(page))].filter(
      (kind) => !expected.has(kind) && kind !== "[aria-invalid]",
    );
    expect({ path, foreign }).toEqual({ path, foreign: [] });
  }
  // The words did reach most pages.
  const told = [...hostile.values()].filter((page) => page.includes("&lt;img src=x onerror"));
  expect(told.length).toBeGreaterThan(15);
});

/** The kinds of elements of a page, and the names of their attributes. */
async function markupOf(page: string): Promise<Set<string>> {
  const elements = new Set<string>();
  await new HTMLRewriter()
    .on("*", {
      element({ tagName, attributes }) {
        elements.add(tagName);
        for (const [name] of attributes) elements.add(`[${name}]`);
      },
    })
    .transform(new Response(page))
    .text();
  return elements;
}

test("Markdown gives headings below the page's own, marked links, and a link for each picture", () => {
  const mark = 'rel="nofollow noopener ugc"';
  const cases = [
    [
      "# One\n\n#### Two\n\n##### Three\n\n# Four",
      "<h3>One</h3>\n<h4>Two</h4>\n<h5>Three</h5>\n<h3>Four</h3>\n",
    ],
    [
      '[here](https://a.example/?a=1&b=2 "t")',
      `<p><a ${mark} href="https://a.example/?a=1&amp;b=2">here</a></p>\n`,
    ],
    [
      "see https://a.example/x.",
      `<p>see <a ${mark} href="https://a.example/x">https://a.example/x</a>.</p>\n`,
    ],
    ["![a cat](https://a.example/c.png 'x')", `<p><a ${mark} href="https://a.example/c.png">a cat</a></p>\n`],
    ["![](https://a.example/c)", `<p><a ${mark} href="https://a.example/c">https://a.example/c</a></p>\n`],
    ["![a cat](javascript:alert(1))", "<p>a cat</p>\n"],
    ["[a](javascript:alert(1))", "<p>a</p>\n"],
    ["[a](JaVa&#x73;cript&colon;alert(1))", "<p>a</p>\n"],
    // A path of ours: no browser reads it as a scheme.
    ["[a](<java\tscript:x>)", `<p><a ${mark} href="java%09script:x">a</a></p>\n`],
    ["[a](data:text/html,x) [b](vbscript:x) [c](blob:x) [d](file:///etc/passwd)", "<p>a b c d</p>\n"],
    [
      "[a](/jobs) [b](#c) [d](mailto:a@b.example)",
      `<p><a ${mark} href="/jobs">a</a> <a ${mark} href="#c">b</a> <a ${mark} href="mailto:a@b.example">d</a></p>\n`,
    ],
    // A link does not stand in a link.
    [
      "[![a cat](https://a.example/c.png)](https://b.example)",
      `<p><a ${mark} href="https://b.example">a cat</a></p>\n`,
    ],
    ["<b>bold</b> & `<i>`", "<p>&lt;b&gt;bold&lt;/b&gt; &amp; <code>&lt;i&gt;</code></p>\n"],
    ["- [x] done\n- [ ] open", "<ul>\n<li>☑ done</li>\n<li>☐ open</li>\n</ul>\n"],
    ["3. three", '<ol start="3">\n<li>three</li>\n</ol>\n'],
    ["```js onload=x\n<\n```", '<pre tabindex="0"><code>&lt;\n</code></pre>\n'],
    [
      "|a|b|\n|-|:-:|\n|1|2|",
      "<table>\n<thead>\n<tr><th>a</th><th>b</th></tr>\n</thead>\n<tbody>\n<tr><td>1</td><td>2</td></tr>\n</tbody>\n</table>\n",
    ],
    ["a\\\nb", "<p>a<br>\nb</p>\n"],
  ] as const;
  for (const [markdown, html] of cases) expect(renderMarkdown(markdown)).toBe(html);
});

/** What makes Markdown renderers slow, deep or long. */
const HEAVY = [
  "[",
  "]",
  "[a](",
  "![",
  "`",
  "``a`",
  "*",
  "_",
  "*a_ ",
  "**a *b ",
  "a*",
  "*[_",
  "***a **b *",
  "~~a~ ",
  ">",
  "> ",
  "- ",
  "  - a\n",
  "- \n",
  "1. ",
  "<",
  "<a ",
  "<!--",
  "&",
  "&#",
  "a|",
  "|-|\n",
  "|a|b|\n|-|-|\n",
  "\\",
  "\n",
  "\t",
  "[a]: b\n",
  "[a]:",
  "[][",
  "](",
  "#",
  "=\n",
  "http://a.",
  "www.",
  "(((",
  "[a](<",
  '[a](b "',
  "- [ ] ",
  "\u0000",
  "😀",
];

test("hostile Markdown costs time in proportion to its length, nests no deeper than people read, and grows little", () => {
  for (const unit of HEAVY) {
    const page = renderMarkdown(unit.repeat(2000).slice(0, 2000));
    expect(depthOf(page)).toBeLessThan(40);
    expect(page.length).toBeLessThan(60_000);
  }
  // A renderer that is quadratic in any of them takes minutes for this and meets the limit of the test.
  for (const unit of HEAVY) renderMarkdown(unit.repeat(200_000).slice(0, 200_000));
}, 20_000);

/** How deep the elements stand in each other; throws where they are out of balance. */
function depthOf(page: string): number {
  const open: string[] = [];
  let deepest = 0;
  for (const [, slash, name = ""] of page.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (name === "br" || name === "hr") continue;
    if (slash === "") deepest = Math.max(deepest, open.push(name));
    else if (open.pop() !== name) throw new Error(`</${name}> closes something else`);
  }
  expect(open).toEqual([]);
  return deepest;
}

test("whatever is written, what comes out is in balance and of the few elements that text needs", () => {
  const parts = [
    ...HEAVY,
    "\n\n",
    "    ",
    "<b onclick=x>",
    "</p>",
    "</div>",
    "<script>",
    "javascript:",
    "'",
    '"',
    "a",
    "http://a.example/",
    "&quot;",
    "&lt;",
    "```",
    "# ",
  ];
  const words = fc.array(fc.constantFrom(...parts), { maxLength: 40 }).map((some) => some.join(""));
  fc.assert(
    fc.property(words, (markdown) => {
      const page = renderMarkdown(markdown);
      depthOf(page);
      for (const [tag] of page.matchAll(/<[^>]*>?/g)) expect(tag).toMatch(SHAPE);
    }),
    { numRuns: 3000 },
  );
});

const SHAPE =
  /^<(?:\/?(?:p|h[3-6]|blockquote|[uo]l|li|pre|code|em|strong|del|a|table|thead|tbody|t[rhd])|br|hr|pre tabindex="0"|ol start="\d+"|a rel="nofollow noopener ugc" href="[^"<>]*")>$/;
