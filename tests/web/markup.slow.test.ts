// Tests docs/contract.md#4.22: Markdown, and that hostile text never becomes markup on a page.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { newHighlightBudget, highlight } from "../../src/core/base/highlight.ts";
import { languageOf } from "../../src/core/base/languages.ts";
import { renderMarkdown } from "../../src/core/base/markdown.ts";
import { pagesOf } from "./every-page.ts";

const ATTACK = `"'><img src=x onerror=alert(1)></textarea></title><!--&amp;`;

test("text of members never becomes markup, on any page", async () => {
  const [known, hostile] = [await pagesOf("Tidewater"), await pagesOf(ATTACK)];
  const expected = new Set<string>();
  // Refused forms differ in their errors, so only element and attribute names are compared.
  for (const page of known.values()) for (const element of await markupOf(page)) expected.add(element);
  for (const [path, page] of hostile) {
    const foreign = [...(await markupOf(page))].filter(
      (kind) => !expected.has(kind) && kind !== "[aria-invalid]",
    );
    expect({ path, foreign }).toEqual({ path, foreign: [] });
  }
  // The text occurs in most pages.
  const escaped = [...hostile.values()].filter((page) => page.includes("&lt;img src=x onerror"));
  expect(escaped.length).toBeGreaterThan(15);
});

/** Returns the element names of a page with their attribute names. */
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

test("Markdown headings start below the page's own, links are marked, and pictures become links", () => {
  const mark = 'rel="nofollow noopener ugc"';
  const cases = [
    [
      "# One\n\n#### Two\n\n##### Three\n\n# Four",
      "<h3>One</h3>\n<h4>Two</h4>\n<h5>Three</h5>\n<h3>Four</h3>\n",
    ],
    [
      "## One\n\n#### Two\n\n### Three\n\n## Four\n\n# Five",
      "<h3>One</h3>\n<h4>Two</h4>\n<h4>Three</h4>\n<h3>Four</h3>\n<h3>Five</h3>\n",
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
    // A relative path that no browser parses as a scheme.
    ["[a](<java\tscript:x>)", `<p><a ${mark} href="java%09script:x">a</a></p>\n`],
    ["[a](data:text/html,x) [b](vbscript:x) [c](blob:x) [d](file:///etc/passwd)", "<p>a b c d</p>\n"],
    [
      "[a](/jobs) [b](#c) [d](mailto:a@b.example)",
      `<p><a ${mark} href="/jobs">a</a> <a ${mark} href="#c">b</a> <a ${mark} href="mailto:a@b.example">d</a></p>\n`,
    ],
    // Links are not nested.
    [
      "[![a cat](https://a.example/c.png)](https://b.example)",
      `<p><a ${mark} href="https://b.example">a cat</a></p>\n`,
    ],
    ["<b>bold</b> & `<i>`", "<p>&lt;b&gt;bold&lt;/b&gt; &amp; <code>&lt;i&gt;</code></p>\n"],
    [
      "- [x] done\n- [ ] open",
      '<ul>\n<li class="task"><span class="tick done">☑</span> done</li>\n<li class="task"><span class="tick">☐</span> open</li>\n</ul>\n',
    ],
    ["3. three", '<ol start="3">\n<li>three</li>\n</ol>\n'],
    ["```onload=x\n<\n```", '<pre tabindex="0"><code>&lt;\n</code></pre>\n'],
    [
      '```JS onload=x\n/* a\nb */ f("<") // 1\n```',
      '<pre tabindex="0"><code class="language-javascript"><span class="code-c">/* a\nb */</span> <span class="code-f">f</span>(<span class="code-s">&quot;&lt;&quot;</span>) <span class="code-c">// 1</span>\n</code></pre>\n',
    ],
    [
      "a\n\n|a|b|\n|-|:-:|\n|1|2|",
      '<p>a</p>\n<div class="wide" tabindex="0"><table>\n<thead>\n<tr><th>a</th><th class="center">b</th></tr>\n</thead>\n<tbody>\n<tr><td>1</td><td class="center">2</td></tr>\n</tbody>\n</table></div>\n',
    ],
    ["a\\\nb", "<p>a<br>\nb</p>\n"],
  ] as const;
  for (const [markdown, html] of cases) expect(renderMarkdown(markdown)).toBe(html);
});

test("footnotes have ids prefixed per text, each is listed once, and unused notes are kept", () => {
  const text =
    "One[^1], two[^long-name], one again[^1], none[^x], `[^1]`.\n\n[^1]: word\n[^long-name]: Of **two**[^1],\nand lines.\n\n[^unasked]: kept\n\n[^1]: twice";
  const notes = (item: string, two: string) =>
    `<ol class="notes">\n${item}\n${two}\n<li>kept</li>\n<li>twice</li>\n</ol>\n`;
  expect(renderMarkdown(text, { id: "post_1" })).toBe(
    `<p>One<sup><a id="post_1-ref-1" href="#post_1-note-1">[1]</a></sup>, two<sup><a id="post_1-ref-2" href="#post_1-note-2">[2]</a></sup>, one again<sup><a href="#post_1-note-1">[1]</a></sup>, none[^x], <code>[^1]</code>.</p>\n${notes(
      '<li id="post_1-note-1">word <a href="#post_1-ref-1">^\u00A01</a></li>',
      '<li id="post_1-note-2">Of <strong>two</strong><sup><a href="#post_1-note-1">[1]</a></sup>,\nand lines. <a href="#post_1-ref-2">^\u00A02</a></li>',
    )}`,
  );
  // A footnote without an identifier is shown without a link.
  expect(renderMarkdown(text)).toBe(
    `<p>One<sup>[1]</sup>, two<sup>[2]</sup>, one again<sup>[1]</sup>, none[^x], <code>[^1]</code>.</p>\n${notes(
      "<li>word</li>",
      "<li>Of <strong>two</strong><sup>[1]</sup>,\nand lines.</li>",
    )}`,
  );
  // The internal marker after a label never appears, and members cannot write it.
  const marked = "```\n[^1]: a\n```\n\n[a\uFDD0b]\n\n[c]\n\n[c]:\n[^1]: x";
  expect(renderMarkdown(marked)).not.toMatch(/\uFDD0|%EF%B7%90/);
});

test("code is highlighted in each language without changing its text", () => {
  const cases = {
    ts: "const a: Foo = `x ${\n1}`; // c",
    "c++": '#include <a>\nint f(char c = \'x\') { return "\\""; }',
    py: 'def f(a): # c\n    """long\n"""\n    return None',
    rs: "fn f<'a>(x: &'a str) -> Vec<u8> { 'c' }",
    go: "func f() error { return nil }",
    sh: "echo \"$HOME\" 'a' --long $# # c",
    SQL: "select a FROM b where c = 'it''s' -- c",
    json: '{"a": [1, true, "b"]}',
    yaml: "a-b: c # d",
    toml: '[a]\nb = "c"',
    html: '<p class="a">don\'t</p><!-- c -->',
    css: ".a { color: #fff; /* c */ }",
    diff: "--- a\n+b\n-c\n d",
    dockerfile: "FROM a\nRUN b --c",
  };
  const shown = Object.entries(cases).map(([language, code]) => {
    const html = renderMarkdown(`\`\`\`${language}\n${code}\n\`\`\``);
    const plain = html.replaceAll(/<[^>]*>/g, "").trim();
    expect(plain).toBe(Bun.escapeHTML(code).replaceAll("&#x27;", "'"));
    const pieces = [...html.matchAll(/<span class="code-(.)">([^<]*)<\/span>/g)];
    return [language, pieces.map(([, kind, piece]) => `${kind} ${piece}`).join(", ")];
  });
  expect(Object.fromEntries(shown)).toEqual({
    ts: "k const, t Foo, s `x ${\n1}`, c // c",
    "c++": "k #include, k int, f f, k char, s 'x', k return, s &quot;\\&quot;&quot;",
    py: "k def, f f, c # c, s &quot;&quot;&quot;long\n&quot;&quot;&quot;, k return, n None",
    rs: "k fn, t 'a, t 'a, k str, t Vec, k u8, s 'c'",
    go: "k func, f f, k error, k return, n nil",
    sh: "k echo, s &quot;$HOME&quot;, s 'a', a --long, a $#, c # c",
    SQL: "k select, k FROM, k where, s 'it''s', c -- c",
    json: "a &quot;a&quot;, n 1, n true, s &quot;b&quot;",
    yaml: "a a-b, c # d",
    toml: "t [a], a b, s &quot;c&quot;",
    html: "k &lt;p, a class, s &quot;a&quot;, k &gt;, k &lt;/p, k &gt;, c &lt;!-- c --&gt;",
    css: "t .a, a color, n #fff, c /* c */",
    diff: "t --- a, i +b, d -c",
    dockerfile: "k FROM, k RUN, a --c",
  });
});

/** Input that can make Markdown renderers slow, deeply nested or long. */
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
  "[^a]",
  "[^1]: [^1]\n\n",
  "[^a]:",
  "@a",
  "@a ",
  "\\@a",
  // A table of the maximum width whose rows have two characters each.
  `${"|a".repeat(128)}\n${"|-".repeat(128)}\n${"a\n".repeat(800)}`,
  `${"|a".repeat(128)}\r${"|-".repeat(128)}\r${"a\r".repeat(800)}`,
];

/** Input that can make the highlighting patterns slow. */
const HEAVY_CODE =
  "\" ' ` ''' \"\"\" \\ \"\\ '\\ `\\ \\` /* /*/ // # #[ -- <!-- <a <a=\" =\" =' & @@ @a( $ ${ ${{ :a a: a= [ [[ ( (( ((a { 0 0x 1_ _ a a- a. 'a 'a' é 😀 + - <? ?> ; ::".split(
    " ",
  );
const LANGUAGES = "js c py rs go rb php sh sql json yaml toml ini html css graphql docker diff".split(" ");

test("hostile code takes linear time in every language, and adds little to the page", () => {
  for (const name of LANGUAGES) {
    const language = languageOf(name);
    if (!language) throw new Error(`${name} is unknown`);
    for (const unit of HEAVY_CODE)
      for (const between of ["", " ", "\n"]) {
        const code = `${unit}${between}`.repeat(10_000).slice(0, 10_000);
        // Takes a few ms. A language with quadratic behaviour takes a second per input and reaches the
        // timeout.
        expect(highlight(code, language, newHighlightBudget()).length).toBeLessThan(10_000 * 7 + 2000 * 32);
      }
  }
  // All code blocks of a text share one highlighting limit. Code beyond the limit is not highlighted.
  expect(renderMarkdown("```js\n1 1 1 1 1 1 1 1 1\n```\n\n".repeat(700)).match(/<span/g)?.length).toBe(2000);
  expect(renderMarkdown(`\`\`\`js\n${" ".repeat(20_000)}1\n\`\`\``)).not.toContain("<span");
}, 20_000);

test("hostile Markdown takes linear time, nests to a limited depth, and grows little", () => {
  for (const unit of HEAVY) {
    const page = renderMarkdown(unit.repeat(2000).slice(0, 2000));
    expect(depthOf(page)).toBeLessThan(40);
    expect(page.length).toBeLessThan(60_000);
  }
  // A renderer with quadratic behaviour would take minutes and reach the timeout.
  for (const unit of HEAVY) renderMarkdown(unit.repeat(200_000).slice(0, 200_000));
}, 20_000);

/** Returns the nesting depth of the elements. Throws if tags are unbalanced. */
function depthOf(page: string): number {
  const open: string[] = [];
  let deepest = 0;
  for (const [, slash, name = ""] of page.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (["br", "hr", "img"].includes(name)) continue;
    if (slash === "") deepest = Math.max(deepest, open.push(name));
    else if (open.pop() !== name) throw new Error(`</${name}> closes something else`);
  }
  expect(open).toEqual([]);
  return deepest;
}

test("any Markdown renders to balanced HTML of the allowed elements", () => {
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
    "```rs\n",
    "[^1]",
    "\n\n[^1]:",
    "@ada",
    "\n|a|b|\n|-|-:|\n",
    "![a](/media/p.webp)",
    "![\"'<](/media/p.webp)",
  ];
  const words = fc.array(fc.constantFrom(...parts), { maxLength: 40 }).map((some) => some.join(""));
  fc.assert(
    fc.property(words, (markdown) => {
      const page = renderMarkdown(markdown, { id: "post_1", nameOf: (name) => name, pictureOf });
      depthOf(page);
      for (const [tag] of page.matchAll(/<[^>]*>?/g)) expect(tag).toMatch(SHAPE);
    }),
    { numRuns: 3000 },
  );
});

const PICTURE = { url: "/media/p.webp", srcset: "/media/p.webp 1w", width: 1, height: 2, alt: 'own "words"' };
const pictureOf = (address: string) => (address === PICTURE.url ? PICTURE : undefined);

test("pictures of this site appear where the text names them, with its description, and no other picture loads", () => {
  const sizes = 'srcset="/media/p.webp 1w" sizes="(max-width: 44rem) 92vw, 40rem" width="1" height="2"';
  const image = (alt: string) =>
    `<img src="/media/p.webp" ${sizes} alt="${alt}" loading="lazy" decoding="async">`;
  const mark = 'rel="nofollow noopener ugc"';
  expect(renderMarkdown('a ![](/media/p.webp) !["](/media/p.webp)', { pictureOf })).toBe(
    `<p>a ${image("own &quot;words&quot;")} ${image("&quot;")}</p>\n`,
  );
  expect(renderMarkdown("[![b](/media/p.webp)](https://a.example)", { pictureOf })).toBe(
    `<p><a ${mark} href="https://a.example">${image("b")}</a></p>\n`,
  );
  expect(renderMarkdown("![b](/media/q.webp) ![c](//media/p.webp)", { pictureOf })).toBe(
    `<p><a ${mark} href="/media/q.webp">b</a> <a ${mark} href="//media/p.webp">c</a></p>\n`,
  );
});

const SHAPE = new RegExp(
  `^<(?:${[
    "/?(?:p|h[3-6]|blockquote|[uo]l|li|pre|code|em|strong|del|a|table|thead|tbody|t[rhd]|sup|span)",
    '/div|br|hr|(?:pre|div class="wide") tabindex="0"|li class="task"|t[hd] class="(?:center|right)"',
    'li id="post_1-note-\\d+"|ol class="notes"|a(?: id="post_1-ref-\\d+")? href="#post_1-(?:note|ref)-\\d+"',
    'code class="language-[a-z]+"|span class="(?:code-[a-z]|tick|tick done)"|a class="mention" href="/@[a-z0-9_-]+"',
    'img src="/media/p\\.webp" srcset="[^"<>]*" sizes="[^"<>]*" width="1" height="2" alt="[^"<>]*" loading="lazy" decoding="async"',
    'ol start="\\d+"|a rel="nofollow noopener ugc" href="[^"<>]*"',
  ].join("|")})>$`,
);
