import { expect, test } from "bun:test";
import { Glob } from "bun";
import { basename, dirname, join, normalize } from "node:path";

/** Where somebody may cite the law: code, tests, scripts, and every document. */
const WHERE = ["{src,tests,scripts,bench}/**/*.{ts,tsx}", "{docs,bench}/**/*.md", "*.md"];

const files = WHERE.flatMap((pattern) => [...new Glob(pattern).scanSync(".")]);
const house = new Map(
  await Promise.all(files.map(async (file) => [file, await Bun.file(file).text()] as const)),
);

/** What is wrong with the citations of one file: `at` is its path, `text` what stands there. */
function faultsOf(at: string, text: string): string[] {
  const plain = unwrapped(text);
  return [...lostAnchors(at, plain), ...lostTests(at, plain)];
}

/** As one line, so that a citation that is wrapped is one: without the stars and slashes that a comment begins its lines with. */
const unwrapped = (text: string): string => text.replace(/\s*\n\s*(?:\*(?!\/) ?|\/\/ ?)?\s*/g, " ");

/** Documents and sections that are not there, by their path from the root or by a link of a document. */
function lostAnchors(at: string, text: string): string[] {
  const cited = [...text.matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w.-]*\w))?/g)].map(
    ([citation, file = "", anchor]) => ({ citation, file, anchor }),
  );
  const linked = !at.endsWith(".md")
    ? []
    : [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
        ([citation, to = "", anchor]) => ({
          citation,
          file: to === "" ? at : normalize(join(dirname(at), to)),
          anchor,
        }),
      );
  return [...cited, ...linked]
    .filter(({ file, anchor }) => {
      if (!file.endsWith(".md")) return false;
      const target = house.get(file);
      return target === undefined || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    })
    .map(({ citation }) => citation);
}

/** The anchors that a document gives by itself, and those that GitHub makes of its headings. */
function anchorsOf(document: string): string[] {
  const given = [...document.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id);
  const made = [...document.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .replace(/<[^>]*>|`/g, "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replace(/ /g, "-"),
  );
  return [...given, ...made];
}

/** Tests that a document names as `file` «title», and that are not there. */
function lostTests(at: string, text: string): string[] {
  if (!at.endsWith(".md")) return [];
  return [...text.matchAll(/`(tests\/[\w./-]+\.tsx?)`((?:,? «[^»]+»)*)/g)].flatMap(
    ([, file = "", names = ""]) => {
      const source = house.get(file);
      if (source === undefined) return [file];
      const titles = titlesOf(source);
      return [...names.matchAll(/«([^»]+)»/g)]
        .map(([, name = ""]) => name)
        .filter((name) => !titles.includes(name))
        .map((name) => `${file}: ${name}`);
    },
  );
}

function titlesOf(source: string): string[] {
  const call =
    /\b(?:test|describe)(?:\.\w+(?:\((?:[^()]|\([^()]*\))*\))?)*\(\s*(["'`])((?:\\.|(?!\1).)*)\1/gs;
  return [...source.matchAll(call)].map(([, , title = ""]) =>
    title
      .replace(/\\(["'`])/g, "$1")
      // Codes of threats and sections stand in documents, not in titles.
      .replace(/^(?:CONTRACT |docs\/contract\.md [\d.]+: |[A-M]\d\d(?:[ –][A-M]\d\d)*:? |§[\d.]+ )/, "")
      .replace(/ \((?:[A-M]\d\d)(?:, [A-M]\d\d)*\)$/, ""),
  );
}

test("whatever cites a section, a document or a test cites one that is there", () => {
  expect(house.size).toBeGreaterThan(400);
  const faults = [...house]
    // What is planted below is wrong.
    .filter(([at]) => at !== "tests/decisions.test.ts")
    .flatMap(([at, text]) => faultsOf(at, text).map((fault) => `${at}: ${fault}`));
  expect(faults).toEqual([]);
});

test("a citation that leads nowhere is found, of whichever kind it is", () => {
  const wrong: [at: string, text: string][] = [
    ["src/x.ts", "/** Never (docs/contract.md#99.9). */"],
    ["src/x.ts", "/**\n * Never (docs/\n * no-such.md). */".replace("docs/\n * ", "docs/")],
    ["docs/x.md", "[there](contract.md#99.9)"],
    ["docs/x.md", "[there](no-such.md)"],
    ["docs/x.md", "`tests/no-such.test.ts`"],
    ["docs/x.md", "`tests/licences.test.ts` «no such\n  test»"],
  ];
  for (const [at, text] of wrong) expect([text, faultsOf(at, text)]).toEqual([text, [expect.any(String)]]);
  const right: [at: string, text: string][] = [
    ["src/x.ts", "/** As docs/contract.md#6.2 says. */"],
    ["docs/x.md", "[there](contract.md#V4.5), [here](operating.md#deleting-an-account)"],
    ["docs/x.md", "`tests/licences.test.ts` «every dependency is pinned to one version»"],
  ];
  for (const [at, text] of right) expect([text, faultsOf(at, text)]).toEqual([text, []]);
});

test("each ADR has a number of its own, and stands in the list", () => {
  const list = house.get("docs/adr/README.md") ?? "";
  const names = [...new Glob("docs/adr/[0-9]*.md").scanSync(".")].map((file) => basename(file));
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !/^\d{4}-[a-z-]+\.md$/.test(name) || !list.includes(`](${name})`))).toEqual(
    [],
  );
  expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
});

test("each section of the contract and of the threats has one number, and stands in its order", () => {
  for (const file of ["docs/contract.md", "docs/threats.md"]) {
    const ids = [...(house.get(file) ?? "").matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id);
    expect(ids.length).toBeGreaterThan(100);
    expect(ids).toEqual([...new Set(ids)]);
    const order = ids.map((id) =>
      id
        .replace(/^V/, "")
        .split(".")
        .map((part) => part.padStart(4, "0"))
        .join("."),
    );
    const restarts = order.filter((id, at) => at > 0 && id < (order[at - 1] ?? ""));
    // What v1 shows, and then what was decided, begin at 1 each.
    expect(restarts.length).toBeLessThanOrEqual(file.endsWith("contract.md") ? 2 : 0);
  }
});

test("each decision that code and tests cite by its number is there", () => {
  let cited = 0;
  const contract = anchorsOf(house.get("docs/contract.md") ?? "");
  for (const [file, text] of house) {
    for (const [, number = ""] of text.matchAll(/docs\/contract\.md (?:§ ?)?(\d+(?:\.\d+)?)/g)) {
      cited++;
      expect([file, number, contract.includes(number)]).toEqual([file, number, true]);
    }
  }
  expect(cited).toBeGreaterThan(20);
});
