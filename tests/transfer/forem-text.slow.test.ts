// docs/adr/0042-forem-import.md: conversion of texts.
import { expect, test } from "bun:test";
import { beginningOf, fromHtml, fromMarkdown } from "../../src/transfer/forem-text.ts";

const BASE = "https://dev.to";

test("converts a comment's HTML to Markdown that renders the same", () => {
  const cases: [string, string][] = [
    ["<p>Hello <strong>big</strong> <em>world</em> &amp; 1 &lt; 2</p>", "Hello **big** *world* & 1 \\< 2"],
    ["<p>*not* _so_ `either` [x]</p>", "\\*not\\* \\_so\\_ \\`either\\` \\[x\\]"],
    ["<p># no heading</p>", "\\# no heading"],
    ["<p>one<br>two</p>\n\n<p>three</p>", "one\\\ntwo\n\nthree"],
    ["<blockquote>\n<p>quoted</p>\n<p>twice</p>\n</blockquote>\n<p>said</p>", "> quoted\n>\n> twice\n\nsaid"],
    [
      "<ul>\n<li>one</li>\n<li>two <code>a &lt; b</code>\n<ul><li>deep</li></ul></li>\n</ul>",
      "- one\n- two `a < b`\n  - deep",
    ],
    ["<ol>\n<li><p>x</p></li><li>y</li></ol>", "1. x\n\n2. y"],
    [
      '<div class="highlight js-code-highlight"><pre class="highlight rust"><code><span class="k">fn</span> main() {}\n</code></pre>\n<div class="highlight__panel"><svg><title>Enter fullscreen mode</title></svg></div></div>',
      "```\nfn main() {}\n```",
    ],
    ['<p><a href="/ada">ada</a> <a href="javascript:alert(1)">bad</a></p>', "[ada](https://dev.to/ada) bad"],
    ['<p><a href="https://a:b@c.example/">name</a></p>', "name"],
    ['<img src="https://x.example/a(1).png" alt="a cat">', "![a cat](https://x.example/a%281%29.png)"],
    ['<h2><a name="x" href="#x"></a>Title</h2><p>text</p>', "## Title\n\ntext"],
    ['<iframe src="https://www.youtube.com/embed/xyz"></iframe>', "https://www.youtube.com/embed/xyz"],
    ["<p>kept</p><script>alert(1)</script><style>p{}</style><!-- gone -->", "kept"],
    ["<code>a ` b</code>", "``a ` b``"],
    ["never <closed <b>bold", "never bold"],
  ];
  for (const [html, markdown] of cases) expect([html, fromHtml(html, BASE)]).toEqual([html, markdown]);
});

test("keeps an article's Markdown and code, without front matter, liquid tags and HTML", () => {
  const code = "```rust\nlet a: Vec<String> = {% raw %}; // <b>\n```";
  const cases: [string, string][] = [
    ["---\ntitle: X\npublished: true\n---\n\nText", "Text"],
    ["A *word*\n\n---\n\nafter a rule", "A *word*\n\n---\n\nafter a rule"],
    ["{% embed https://github.com/a/b %}", "https://github.com/a/b"],
    ["See {% youtube abc123 %}", "See\n\nhttps://youtu.be/abc123"],
    ["{% link ada/hello-1a %}", "https://dev.to/ada/hello-1a"],
    ["{% link javascript:alert(1) %}", ""],
    ["{% details Summary %}inside{% enddetails %}", "inside"],
    ["`{% raw %}` and `Vec<T>` stay", "`{% raw %}` and `Vec<T>` stay"],
    [code, code],
    [`before <b>bold</b>\n\n${code}\n\nafter`, `before **bold**\n\n${code}\n\nafter`],
    [
      '<img src="/uploads/a.png" alt="pic"> and a < b && c > d',
      "![pic](https://dev.to/uploads/a.png) and a < b && c > d",
    ],
    ["<https://a.example/b>", "https://a.example/b"],
    ["text <script>alert(1)</script>\n- one\n- two", "text\n- one\n- two"],
  ];
  for (const [from, to] of cases) expect([from, fromMarkdown(from, BASE)]).toEqual([from, to]);
});

test("an excerpt ends between paragraphs, lines or words, and closes its code", () => {
  expect(beginningOf("short", 10)).toBe("short");
  const paragraphs = Array.from({ length: 50 }, (_, i) => `Paragraph ${i}.`).join("\n\n");
  expect(beginningOf(paragraphs, 200)).toMatch(/Paragraph \d+\. …$/);
  const content = "word ".repeat(500);
  expect(beginningOf(content, 200)).toMatch(/word …$/);
  const letters = "😀".repeat(500);
  expect([...beginningOf(letters, 200)].length).toBeLessThanOrEqual(200);
  expect(beginningOf(letters, 200).isWellFormed()).toBe(true);
  const code = `~~~~js\n${"let a = 1;\n".repeat(100)}~~~~`;
  expect(beginningOf(code, 200)).toEndWith("\n~~~~\n…");
  for (const text of [paragraphs, content, letters, code])
    expect([...beginningOf(text, 200)].length).toBeLessThanOrEqual(200);
});

test("converts any text in bounded time", () => {
  const texts = [
    "<",
    "<a ",
    "<b>",
    "<blockquote>",
    "<ul><li>",
    "`",
    "{% a ",
    "<a href='",
    "[",
    "~~~\n",
    "---\n",
    "` `` ",
    " \n",
    "&#x",
    "<!--",
    "<pre>",
    "{%",
    "<h1>x",
  ];
  for (const part of texts) {
    const text = part.repeat(200_000);
    const before = performance.now();
    const created = [fromHtml(text, BASE), fromMarkdown(text, BASE)].map((item) => beginningOf(item, 2000));
    expect([part, performance.now() - before < 3000]).toEqual([part, true]);
    for (const item of created) expect([...item].length).toBeLessThanOrEqual(2000);
  }
});
