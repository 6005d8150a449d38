import { expect, test } from "bun:test";
import { Glob } from "bun";
import { existsSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { titlesOf } from "../scripts/prose/titles.ts";

/** Files that may cite the documents: code, tests, scripts and every document. */
const WHERE = ["{src,tests,scripts,bench}/**/*.{ts,tsx}", "{docs,bench,src,.github}/**/*.md", "*.md"];

const files = WHERE.flatMap((pattern) => [...new Glob(pattern).scanSync(".")]);
const documentNames = new Map(
  await Promise.all(files.map(async (file) => [file, await Bun.file(file).text()] as const)),
);

function faultsOf(at: string, text: string): string[] {
  const plain = unwrapped(text);
  return [
    ...lostAnchors(at, plain),
    ...lostTests(at, plain),
    ...lostPaths(at, plain),
    ...foreign(at, plain),
    ...(at.endsWith(".md")
      ? codesIn(at, plain)
      : [...commentsOf(text), ...titlesOf(text).map(({ title }) => title)].flatMap((part) =>
          codesIn(at, part),
        )),
  ];
}

/** Joins wrapped lines and removes their comment marks, so that a wrapped citation is one string. */
const unwrapped = (text: string): string => text.replace(/\s*\n\s*(?:\*(?!\/) ?|\/\/ ?)?\s*/g, " ");

/** Cited documents and sections that do not exist, by path from the root or by a document's link. */
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
      const target = documentNames.get(file);
      return target === undefined || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    })
    .map(({ citation }) => citation);
}

/** Anchors by document, because each document is cited hundreds of times. */
const knownAnchors = new Map<string, string[]>();

function anchorsOf(document: string): string[] {
  const known = knownAnchors.get(document) ?? findAnchors(document);
  knownAnchors.set(document, known);
  return known;
}

/** A document's explicit anchors, and those that GitHub makes of its headings. */
function findAnchors(document: string): string[] {
  const given = [...document.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id);
  const created = [...document.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .replace(/<[^>]*>|`/g, "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replace(/ /g, "-"),
  );
  return [...given, ...created];
}

/**
 * Folders and files that a document names but that do not exist. Skips the changelog, which names old files.
 */
function lostPaths(at: string, text: string): string[] {
  if (!at.endsWith(".md") || at === "CHANGELOG.md") return [];
  return [...text.matchAll(/`((?:src|scripts|bench|data)\/[\w./-]*\w)`/g)]
    .map(([, path = ""]) => path)
    .filter((path) => !existsSync(path));
}

/** Public standards whose sections may be cited by number. */
const STANDARDS =
  /(?:RFC \d+(?:bis)?|OpenID Connect (?:Core|Discovery 1\.0)|OIDC Discovery|GraphQL over HTTP|GraphQL|Relay(?: Cursor Connections)?|HTML|OAuth 2\.0 Multiple Response Types|CSP 3|WebAuthn|NIST SP 800-63B),? §[\w.]+(?:(?:,| and|;) §[\w.]+)*/g;

/**
 * Citations that cannot be followed: a section without its document, a number of our documents without an
 * anchor, or a document outside the repository.
 */
function foreign(at: string, text: string): string[] {
  const bare = text.replace(STANDARDS, "").match(/.{0,20}§.{0,20}/g) ?? [];
  const unanchored = text.match(/docs\/(?:contract|threats)\.md \w?\d+(?:\.\d+)?/g) ?? [];
  const named = text.match(/\b[A-Z]{5,} “[^”]*”/g) ?? [];
  const lost = [...text.matchAll(/(?<![\w/.-])([A-Z][A-Z-]{3,}\.md)\b/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !documentNames.has(name) && !documentNames.has(join(dirname(at), name)));
  return [...bare, ...unanchored, ...named, ...lost];
}

/** Threat codes without a link. Only docs/threats.md may use bare codes. */
function codesIn(at: string, text: string): string[] {
  if (at === "docs/threats.md") return [];
  const own = text.replace(/docs\/threats\.md#\w+|\[[^\]]*\]\([^)]*\)|%[0-9A-F]{2}|https?:\/\/\S+/g, "");
  return own.match(/(?<![\w#.-])[A-P]\d\d(?![\w.-])/g) ?? [];
}

const commentsOf = (source: string): string[] => source.match(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g) ?? [];

/** Tests that a document cites as `file` “title” but that do not exist. */
function lostTests(at: string, text: string): string[] {
  if (!at.endsWith(".md")) return [];
  return [...text.matchAll(/`(tests\/[\w./-]+\.tsx?)`((?:,? “[^”]+”)*)/g)].flatMap(
    ([, file = "", names = ""]) => {
      const source = documentNames.get(file);
      if (source === undefined) return [file];
      const titles = titlesOf(source).map(({ title }) => title);
      return [...names.matchAll(/“([^”]+)”/g)]
        .map(([, name = ""]) => name)
        .filter((name) => !titles.includes(name))
        .map((name) => `${file}: ${name}`);
    },
  );
}

test("every citation of a section, a document or a test points to an existing one", () => {
  expect(documentNames.size).toBeGreaterThan(400);
  const faults = [...documentNames]
    // Skips this file, because it contains the faults planted below.
    .filter(([at]) => at !== "tests/decisions.test.ts")
    .flatMap(([at, text]) => faultsOf(at, text).map((fault) => `${at}: ${fault}`));
  expect(faults).toEqual([]);
});

test("reports broken citations of every kind", () => {
  const wrong: [at: string, text: string][] = [
    ["src/x.ts", "/** Never (docs/contract.md#99.9). */"],
    ["src/x.ts", "/** Never (docs/threats.md#Z99). */"],
    ["src/x.ts", "/** Never (docs/adr/9999-never.md). */"],
    ["src/x.ts", "/**\n * Never (docs/\n * no-such.md). */".replace("docs/\n * ", "docs/")],
    ["src/x.ts", "/** Never (docs/contract.md 6.2). */"],
    ["src/x.ts", "/** Never (§4). */"],
    ["src/x.ts", "/** RFC 9110 says it, and so\n * does §4. */"],
    ["src/x.ts", "/** Never (LAWBOOK “Limits”). */"],
    ["src/x.ts", "// As LAWBOOK.md says."],
    ["src/x.ts", "// A disk that is full (K03)."],
    ["tests/x.test.ts", 'test("K03 a disk that is full", () => {});'],
    ["docs/x.md", "A disk that is full (K03)."],
    ["docs/x.md", "[there](contract.md#99.9)"],
    ["docs/x.md", "[there](no-such.md)"],
    ["docs/x.md", "`tests/no-such.test.ts`"],
    ["docs/x.md", "`src/no-such`"],
    ["docs/x.md", "`tests/licences.slow.test.ts` “no such\n  test”"],
  ];
  for (const [at, text] of wrong) expect([text, faultsOf(at, text)]).toEqual([text, [expect.any(String)]]);
  const right: [at: string, text: string][] = [
    ["src/x.ts", "/** As docs/contract.md#6.2 says. */"],
    ["src/x.ts", "/** RFC 9110 §13.1.1, RFC 8628\n * §3.5, HTML §9.2. */"],
    ["src/x.ts", "/** A full disk (docs/threats.md#K03), as README.md says. */"],
    ["docs/x.md", "[there](contract.md#V4.5), [here](operating.md#deleting-an-account)"],
    ["docs/x.md", "`tests/licences.slow.test.ts` “pins every dependency to one version”"],
  ];
  for (const [at, text] of right) expect([text, faultsOf(at, text)]).toEqual([text, []]);
});

test("each ADR has a unique number, and appears once in the list, in order", () => {
  const list = documentNames.get("docs/adr/README.md") ?? "";
  const names = [...new Glob("docs/adr/[0-9]*.md").scanSync(".")].map((file) => basename(file)).toSorted();
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !/^\d{4}-[a-z-]+\.md$/.test(name))).toEqual([]);
  expect([...list.matchAll(/^\| \[\d{4}\]\(([^)]+)\)/gm)].map(([, name]) => name)).toEqual(names);
  expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
});

test("each section of the contract and of the threats has a unique number, in order", () => {
  for (const file of ["docs/contract.md", "docs/threats.md"]) {
    const ids = [...(documentNames.get(file) ?? "").matchAll(/<a id="([^"]+)"><\/a>/g)].map(
      ([, id = ""]) => id,
    );
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
    // Numbering restarts twice: for the V1 sections and for the decisions.
    expect(restarts.length).toBeLessThanOrEqual(file.endsWith("contract.md") ? 2 : 0);
  }
});

test("each section that makes a promise is cited by a test", () => {
  const contract = documentNames.get("docs/contract.md") ?? "";
  const tests = [...documentNames].filter(
    ([at]) => at.startsWith("tests/") && at !== "tests/decisions.test.ts",
  );
  const cited = new Set(
    tests.flatMap(([, text]) =>
      [...text.matchAll(/docs\/contract\.md#(V?\d+(?:\.\d+)?)/g)].map(([, id]) => id),
    ),
  );
  const promises = [...contract.matchAll(/<a id="(V?\d+\.\d+)"><\/a>\*\*\S+( Open:)?/g)]
    // Skips open questions, because they are decided elsewhere, and planned features (11.*), because they
    // have no test.
    .filter(([, id = "", open]) => open === undefined && !id.startsWith("11."))
    .map(([, id = ""]) => id);
  expect(promises.length).toBeGreaterThan(150);
  // The three promises without a test describe future versions and `.ci/run`.
  expect(promises.filter((id) => !cited.has(id))).toEqual(["V9.2", "V9.3", "10.3"]);
});

test("ARCHITECTURE.md is short enough to read in one sitting", () => {
  // Skips the tree of files, which grows with the product and is not read from top to bottom.
  const lines = (documentNames.get("ARCHITECTURE.md") ?? "")
    .replace(/<!-- tree:[^]*<!-- end of tree -->/, "")
    .trimEnd()
    .split("\n");
  expect(lines.length).toBeGreaterThan(60);
  expect(lines.length).toBeLessThanOrEqual(120);
  expect(lines.slice(lines.indexOf("## Glossary")).length).toBeLessThanOrEqual(25);
});
