import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { renderMarkdown } from "../../src/core/base/markdown.ts";
import { closeContexts, hasChromium, newContext, REPORT_VIOLATIONS } from "../browser.ts";
import { addSampleContent } from "./sample-site.ts";
import { openSite, signedInAs, sessionCookie, type Site } from "./support.ts";

/**
 * Attempts to run script through text: obfuscated tags and attributes, link schemes, entities, encodings,
 * elements that change parsing, and Markdown. An attack that runs sets `pwned`.
 */
const RUN = "pwned=1";
const PAYLOADS: readonly string[] = [
  // Tags and event handlers.
  `<script>${RUN}</script>`,
  `<ScRiPt>${RUN}</sCrIpT>`,
  `<script src="data:text/javascript,${RUN}"></script>`,
  `<script\n>${RUN}</script\n>`,
  `<script/x>${RUN}</script>`,
  `<<script>${RUN}//<</script>`,
  `<img src=x onerror=${RUN}>`,
  `<img src=x:x onerror="${RUN}"//`,
  `<img/src=x/onerror=${RUN}>`,
  `<img src="x\`\` onerror=${RUN}">`,
  `<image href=x onerror=${RUN}>`,
  `<svg onload=${RUN}>`,
  `<svg/onload=${RUN}//`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${RUN}"><text x=9 y=9>x</text></a></svg>`,
  `<svg><foreignObject><iframe onload=${RUN}></foreignObject></svg>`,
  `<svg><style><img src=x onerror=${RUN}></style></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}></style></mglyph></table></mtext></math>`,
  `<math href="javascript:${RUN}">x</math>`,
  `<body onload=${RUN}>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<embed src="javascript:${RUN}">`,
  `<details open ontoggle=${RUN}>x</details>`,
  `<video><source onerror=${RUN}></video>`,
  `<audio src=x onerror=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<select autofocus onfocus=${RUN}><option>x</select>`,
  `<textarea autofocus onfocus=${RUN}></textarea>`,
  `<marquee onstart=${RUN}>x</marquee>`,
  `<form action="javascript:${RUN}"><button>x</button></form>`,
  `<button formaction="javascript:${RUN}">x</button>`,
  `<isindex type=image src=1 onerror=${RUN}>`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
  `<link rel=stylesheet href="https://evil.example/x.css">`,
  `<style>@import "https://evil.example/x.css"; body{display:none}</style>`,
  `<p style="background:url(javascript:${RUN})">x</p>`,
  `<template><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<x onclick=${RUN} tabindex=1 id=x>x</x>#x`,
  `<a href="javascript:${RUN}">x</a>`,
  // Breaking out of text elements.
  `</title><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `</style><script>${RUN}</script>`,
  `--><script>${RUN}</script>`,
  `]]><script>${RUN}</script>`,
  `"><script>${RUN}</script>`,
  `'><script>${RUN}</script>`,
  `" onmouseover="${RUN}" x="`,
  `' autofocus onfocus='${RUN}`,
  `\`\`\`${RUN}\`\`\`"><img src=x onerror=${RUN}>`,
  // Entities and encodings.
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#60;img src=x onerror=${RUN}&#62;`,
  `&#x3C;img src=x onerror=${RUN}&#x3E;`,
  `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
  `＜script＞${RUN}＜/script＞`,
  `+ADw-script+AD4-${RUN}+ADw-/script+AD4-`,
  // Markdown links.
  `[x](javascript:${RUN})`,
  `[x](JaVaScRiPt:${RUN})`,
  `[x](&#106;avascript:${RUN})`,
  `[x](javascript&colon;${RUN})`,
  `[x](java\tscript:${RUN})`,
  `[x](<java\tscript:${RUN}>)`,
  `[x](\u0001javascript:${RUN})`,
  `[x]( javascript:${RUN})`,
  `[x](vbscript:msgbox(1))`,
  `[x](data:text/html;base64,PHNjcmlwdD5wd25lZD0xPC9zY3JpcHQ+)`,
  `[x](javascript://%0a${RUN})`,
  `[x][y]\n\n[y]: javascript:${RUN}`,
  `[x][y]\n\n[y]: <javascript:${RUN}> "t"`,
  `<javascript:${RUN}>`,
  `![x](javascript:${RUN})`,
  `![x](https://evil.example/pixel.png)`,
  `![x](x "onerror=${RUN}")`,
  `![x" onerror="${RUN}](x)`,
  `[x](https://a.example/" onmouseover="${RUN})`,
  `[x](https://a.example "\\" onmouseover=\\"${RUN}")`,
  `[x" onmouseover="${RUN}](https://a.example)`,
  `[<img src=x onerror=${RUN}>](https://a.example)`,
  `[![x](javascript:${RUN})](javascript:${RUN})`,
  `https://a.example/"onmouseover="${RUN}`,
  `www.a.example/<img/src=x/onerror=${RUN}>`,
  `a@b.example"onmouseover=${RUN}`,
  // Markdown code and blocks.
  `\`<img src=x onerror=${RUN}>\``,
  '```" onmouseover=' + RUN + "\n<script>" + RUN + "</script>\n```",
  "```<img src=x onerror=" + RUN + ">\nx\n```",
  `    <script>${RUN}</script>`,
  `> <script>${RUN}</script>`,
  `- <script>${RUN}</script>`,
  `|<img src=x onerror=${RUN}>|b|\n|-|-|\n|<svg onload=${RUN}>|c|`,
  `# <img src=x onerror=${RUN}>`,
  `<div markdown=1 onclick=${RUN}>\n\n**x**\n\n</div>`,
  `**<img src=x onerror=${RUN}>**`,
  `<!-- --><script>${RUN}</script>`,
  `<?php echo 1 ?><script>${RUN}</script>`,
  `<![CDATA[<script>${RUN}</script>]]>`,
  // Control and bidirectional characters.
  `\u202e<script>${RUN}</script>`,
  `\u2028<img src=x onerror=${RUN}>`,
  `<img\u000bsrc=x\u000conerror=${RUN}>`,
];

describe.skipIf(!hasChromium)("hostile text in a real browser", () => {
  afterAll(closeContexts);

  test("as posts, one after another: no script runs, and no foreign element or request appears", async () => {
    await using site = openSite();
    const { caller } = await addSampleContent(site);
    const ids = PAYLOADS.map((text) => {
      site.clock.pass(1000);
      return createPost(site.core, caller, { text }).id;
    });
    expect(PAYLOADS.length).toBeGreaterThan(90);
    const { open } = await watch(site);
    let pages = 0;
    for (let path: string | undefined = "/"; path !== undefined; pages++) {
      expect(await open(path)).toEqual(CLEAN);
      path = await open.next();
    }
    expect(pages).toBeGreaterThan(4);
    // On the post's own page, the attack is also in the page title.
    for (const id of ids.slice(0, 12)) expect(await open(`/posts/${id}`)).toEqual(CLEAN);
  }, 120_000);

  test("as name, bio, job, prompt, token, workspace and receiver response: no script runs, and no foreign element appears", async () => {
    for (const text of PACKED) {
      await using site = openSite();
      const { pathOf } = await addSampleContent(site, text);
      const { open } = await watch(site);
      const paths = [
        "/",
        "/@:username",
        "/jobs",
        "/jobs/:id",
        "/prompts",
        "/prompts/:id",
        "/messages",
        "/messages/:id",
        "/jobs/filters/:id",
        "/settings/tokens",
        "/settings/webhooks/:id",
        "/settings/deliveries/:id",
        "/settings/workspaces/:id",
        "/settings/activity",
        "/settings/account",
      ];
      for (const path of paths)
        expect({ path, ...(await open(pathOf({ path }))) }).toEqual({ path, ...CLEAN });
    }
  }, 120_000);

  test("as random Markdown: a browser's parser finds only text, allowed elements, and links without scripts", async () => {
    const part = fc.oneof(fc.constantFrom(...PAYLOADS), fc.constantFrom(...MARKS));
    const words = fc.array(part, { maxLength: 12 }).map((some) => some.join(""));
    const pages = fc
      .sample(words, 4000)
      .map((markdown) => renderMarkdown(markdown, { id: "post_1", nameOf: (name) => name }));
    const page = await (await newContext({ serviceWorkers: "allow" })).newPage();
    expect(await page.evaluate(READ_EACH(pages))).toEqual([]);
    await page.close();
  }, 60_000);

  async function watch(site: Site) {
    const context = await newContext({ baseURL: site.core.origin, serviceWorkers: "allow" });
    const value = signedInAs(site, "ada").cookies.get(sessionCookie(site)) ?? "";
    await context.addCookies([{ name: sessionCookie(site), value, url: site.core.origin }]);
    await context.addInitScript(REPORT_VIOLATIONS);
    const page = await context.newPage();
    let received: string[] = [];
    page.on("console", (message) => void received.push(message.text()));
    page.on("pageerror", (error) => void received.push(error.message));
    page.on("dialog", (dialog) => void (received.push(dialog.message()), dialog.dismiss()));
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== site.core.origin && protocol !== "data:") received.push(request.url());
    });
    const open = async (path: string) => {
      received = [];
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(200);
      return { ...((await page.evaluate(INSPECT)) as object), heard: received };
    };
    open.next = async () =>
      (await page.locator("a[rel=next]").count()) === 0
        ? undefined
        : ((await page.locator("a[rel=next]").getAttribute("href")) ?? undefined);
    return { open };
  }
});

/** Several attacks per value, because names are short. */
const PACKED = [
  `"'><img src=x onerror=${RUN}><svg onload=${RUN}>`,
  `</title></textarea><script>${RUN}</script>`,
  `[x](javascript:${RUN}) ![x](//evil.example/p)`,
];

/** Character sequences with a meaning in Markdown or HTML. */
const MARKS =
  "* ** _ ~~ ` # > [a]( ![ ]( ] ) [a](javascript:1) [![b](/b)](/c) ![b](/b) < > \\ ' \" http://a.b www.a.b &amp; &#60; javascript: data:text/html, words"
    .split(" ")
    .concat(
      "```\n",
      "# ",
      "> ",
      "- ",
      "1. ",
      "- [x] ",
      "\n",
      "\n\n",
      "    ",
      "[a]: ",
      "|a|b|\n|-|-:|\n",
      "```html\n",
      "[^1]",
      "\n\n[^1]: ",
      "@ada",
      "\u0000",
    );

/**
 * Returns the pages in which a browser finds an unexpected element or attribute, or a link with a dangerous
 * scheme.
 */
const READ_EACH = (pages: readonly string[]) => `${JSON.stringify(pages)}.filter((html) => {
  const tags = (text) => (text.match(/<[^>]*>/g) ?? []).join('').replaceAll('&#x27;', "'");
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const all = [...body.querySelectorAll('*')];
  return (
    all.some(({ tagName }) => !/^(P|H[3-6]|BLOCKQUOTE|[UO]L|LI|PRE|CODE|EM|STRONG|DEL|A|TABLE|THEAD|TBODY|T[RHD]|BR|HR|SUP|SPAN|DIV)$/.test(tagName)) ||
    all.some(({ attributes }) => [...attributes].some(({ name }) => !/^(href|rel|tabindex|start|class|id)$/.test(name))) ||
    all.some((link) => link.tagName === 'A' && !['http:', 'https:', 'mailto:'].includes(new URL(link.getAttribute('href'), 'https://here.invalid').protocol)) ||
    // A browser closes or moves elements that must not be nested, such as a link in a link.
    tags(body.innerHTML) !== tags(html)
  );
})`;

const CLEAN = { ran: false, handlers: [], links: [], foreign: [], heard: [] };

/**
 * Element names used by this site, apart from re-encoded pictures. Charts are `svg` elements without anything
 * that loads or runs.
 */
const OWN =
  "HTML HEAD META TITLE LINK SCRIPT BODY A HEADER NAV DIV MAIN H1 H2 H3 H4 H5 H6 P SPAN SUP BDI STRONG EM DEL CODE PRE UL OL LI DL DT DD BLOCKQUOTE BR HR TABLE THEAD TBODY TR TH TD FORM INPUT TEXTAREA SELECT OPTION OPTGROUP BUTTON LABEL FIELDSET LEGEND SMALL SECTION ARTICLE ASIDE FOOTER TIME DETAILS SUMMARY NOSCRIPT FIGURE FIGCAPTION PROGRESS svg g path rect line text title polyline circle";

const INSPECT = `(() => {
  const own = new Set('${OWN}'.split(' '));
  const all = [...document.querySelectorAll('*')];
  const isPicture = (element) => element.tagName === 'IMG' && /^\\/media\\/[0-9a-f]{40}-\\d+\\.webp$/.test(element.getAttribute('src'));
  return {
    ran: 'pwned' in window,
    handlers: all.flatMap((element) => [...element.attributes].filter(({ name }) => /^on|^style$|^srcdoc$|^formaction$/.test(name)).map(({ name }) => element.tagName + ' ' + name)),
    links: all.flatMap((element) => ['href', 'src', 'action', 'xlink:href'].map((name) => element.getAttribute(name)).filter((value) => value !== null && !['http:', 'https:', 'mailto:', 'data:'].includes(new URL(value, location.href).protocol) || value?.startsWith('data:') && element.tagName !== 'LINK')),
    foreign: all.filter((element) => !own.has(element.tagName) && !isPicture(element)).map(({ tagName }) => tagName),
  };
})()`;
