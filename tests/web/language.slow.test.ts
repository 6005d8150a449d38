// Tests docs/contract.md#9.9.
import { expect, test } from "bun:test";
import { PAGES } from "../../src/web/pages/index.ts";
import { pagesOf } from "./every-page.ts";
import { type SampleContent, prepareSite } from "./sample-site.ts";
import {
  type FoundForm,
  openSite,
  type Site,
  tokenOf,
  signedInAs,
  unescape,
  type Visitor,
  visit,
  visibleText,
} from "./support.ts";

/** Text of members in a right-to-left script. The site's own text is left-to-right. */
const THEIRS = "שלום";

test("text of members is isolated in its own direction, on every page and in every refused form", async () => {
  const wrong = new Set<string>();
  let right = 0;
  for (const [path, page] of await pagesOf(THEIRS)) {
    for (const { where, isIsolated } of await locationsOf(page)) {
      if (isIsolated) right++;
      else wrong.add(`${path}: ${where}`);
    }
  }
  expect([...wrong].sort()).toEqual([]);
  expect(right).toBeGreaterThan(100);
});

/** Returns where a page shows the members' text, and whether its direction is isolated there. */
async function locationsOf(page: string): Promise<{ where: string; isIsolated: boolean }[]> {
  const places: { where: string; isIsolated: boolean }[] = [];
  const open: { name: string; isIsolated: boolean }[] = [];
  await new HTMLRewriter()
    .on("*", {
      element(element) {
        const name = `${element.tagName}.${element.getAttribute("class") ?? ""}`;
        const isIsolated = element.getAttribute("dir") === "auto" || element.tagName === "bdi";
        if (element.tagName === "input" && (element.getAttribute("value") ?? "").includes(THEIRS)) {
          if (["text", "search"].includes(element.getAttribute("type") ?? "text"))
            places.push({ where: `${name}[name=${element.getAttribute("name")}]`, isIsolated });
        }
        if (element.selfClosing || VOID.has(element.tagName)) return;
        open.push({ name, isIsolated });
        element.onEndTag(() => void open.pop());
      },
      text({ text }) {
        // The browser itself renders titles and options, so a page cannot isolate the text there.
        if (!text.includes(THEIRS) || open.some(({ name }) => /^(?:head|title|option)\./.test(name))) return;
        const isIsolated = open.some((element) => element.isIsolated);
        places.push({
          where: open
            .slice(-3)
            .map(({ name }) => name)
            .join(" > "),
          isIsolated,
        });
      },
    })
    .transform(new Response(page))
    .text();
  return places;
}

const VOID = new Set(["input", "br", "hr", "meta", "link", "img"]);

/** Terms that only the API uses. */
const API_WORDS =
  /\bfields?\b|\blists? of at\b|\bnull\b|\bmust be (?:a|an|one|text|of)\b|\bis missing\b|\bcode points\b|`|\bJSON\b|[a-z]_[a-z]/;

test("refused forms never show terms of the API, whatever their fields contain", async () => {
  const reported = new Set<string>();
  let refused = 0;
  const { from, pathOf } = await prepareSite();
  const open = () => openSite({ signup: "open", from });
  const comeTo = (site: Site) => [visit(site), signedInAs(site, "ada"), signedInAs(site, "root")];
  const forms: FoundForm[][] = [];
  await using first = open();
  for (const visitor of comeTo(first)) forms.push(await formsOf(visitor, pathOf));
  for (const text of BAD) {
    await using site = open();
    for (const [who, visitor] of comeTo(site).entries()) {
      const token = tokenOf(await visitor.open(who === 0 ? "/sign-in" : "/"));
      for (const form of forms[who] ?? []) {
        const fields = form.fields.map(([name]) => [name, name === "form_token" ? token : text]);
        const { status, html } = await visitor.post(form.action, Object.fromEntries(fields));
        if (status < 400) continue;
        refused++;
        const action = form.action.replace(/_[0-9a-z]{26}/, "");
        if (html.includes(`action="${form.action}"`) && !/class="fault/.test(html))
          reported.add(`${action}: nothing`);
        for (const sentence of sentencesOf(html))
          if (API_WORDS.test(sentence)) reported.add(`${action}: ${sentence}`);
      }
    }
  }
  expect([...reported].sort()).toEqual([]);
  expect(refused).toBeGreaterThan(150);
}, 240_000);

const BAD = ["", "x".repeat(30_000), "a\0b", "null", "'\"><b>", "https://127.0.0.1/"];

/** Returns every form that a visitor can open, each once. */
async function formsOf(visitor: Visitor, pathOf: SampleContent["pathOf"]): Promise<FoundForm[]> {
  const found = new Map<string, FoundForm>();
  for (const route of PAGES.filter(({ method }) => method === "GET")) {
    for (const form of (await visitor.open(pathOf(route))).forms) {
      const isFilled = form.fields.some(([name]) => name !== "form_token");
      if (form.method === "post" && isFilled) found.set(form.action, form);
    }
  }
  return [...found.values()];
}

/** Returns the errors on a page: at fields, at the top of the form, or as the whole content. */
function sentencesOf(html: string): string[] {
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? "";
  const faults = [...main.matchAll(/class="fault(?:-box)?"[^>]*>([^<]*)</g)].map(([, words]) =>
    unescape(words ?? ""),
  );
  return faults.length > 0 ? faults : [visibleText(main)];
}
