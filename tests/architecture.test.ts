import { expect, test } from "bun:test";
import { Glob } from "bun";
import { existsSync, readFileSync } from "node:fs";
import { readSource } from "../scripts/imports.ts";
import { ARCHITECTURE, violations, ownSources, picture, withPicture } from "../scripts/architecture.ts";

const sources = await ownSources();

const SOUND = {
  "src/cli/guildhall.ts": `import { serve } from "../app/server.ts"; import { document } from "./openapi.ts"; serve(process.env, document);`,
  "src/cli/openapi.ts": `import { app } from "../rest/app.ts"; export const document = app;`,
  "src/core/community/feed/feed-store.ts": `export const select = (name: string) => name;`,
  "src/core/community/feed/feed.ts": `import { getProfile } from "../profiles/profiles.ts"; import { select } from "./feed-store.ts";
    export type Post = string; export const post = () => select(getProfile());`,
  "src/core/community/profiles/profiles-store.ts": `export const find = () => "ada";`,
  "src/core/community/profiles/profiles.ts": `import { find } from "./profiles-store.ts"; export const getProfile = (): string => find();`,
  "src/core/base/clock.ts": `export const now = () => Date.now();`,
  "src/core/base/random.ts": `import { randomBytes } from "node:crypto"; export const bytes = randomBytes;`,
  "src/core/identity/access/caller.ts": `export type Caller = { at: Date }; export const day = (ms: number) => new Date(ms).getUTCDate() + Math.max(1, 2);`,
  "src/http/server.ts": `export const serve = () => Bun.serve({ fetch: () => new Response() });`,
  "src/app/server.ts": `export { serve } from "../http/server.ts";`,
  "src/rest/app.ts": `import { post } from "../core/community/feed/feed.ts"; export const app = [post];`,
  "src/web/pages/admin/admin.ts": `import { account } from "../account/account.ts"; export const admin = account;`,
  "src/web/pages/account/account.ts": `export const account = 1;`,
};

const FEED = "src/core/community/feed/feed.ts";
const PROFILES = "src/core/community/profiles/profiles.ts";
const CALLER = "src/core/identity/access/caller.ts";
const WEB = "src/web/pages/account/account.ts";

function read(tree: Readonly<Record<string, string>>) {
  return Object.entries(tree).map(([path, text]) => readSource(path, text));
}

/** Each planted line, the file it is planted in, and a part of the reported violation. */
const PLANTED: readonly [path: string, line: string, said: string][] = [
  [FEED, `import { app } from "../../../rest/app.ts";`, "imports src/rest/app.ts: core must not import rest"],
  [FEED, `import type { app } from "../../../rest/app.ts";`, "core must not import rest"],
  [FEED, `type App = import("../../../rest/app.ts").App;`, "core must not import rest"],
  [FEED, `export { app } from "../../../rest/app.ts";`, "core must not import rest"],
  [FEED, `export * from "../../../rest/app.ts";`, "core must not import rest"],
  [WEB, `import { app } from "../../../rest/app.ts";`, "web must not import rest"],
  ["src/nowhere/x.ts", "", "is in no module of scripts/architecture.ts"],
  // Imports for side effects, and imports at run time.
  [FEED, `import "../../../rest/app.ts";`, "imports ../../../rest/app.ts for its side effects"],
  [FEED, `import "../profiles/profiles.ts";`, "imports ../profiles/profiles.ts for its side effects"],
  [FEED, `await import("../profiles/profiles.ts");`, "loads ../profiles/profiles.ts while it runs"],
  [FEED, `await import(FEED);`, "imports a path that is not a literal"],
  [FEED, `new URL("../../../app/delivery-worker.ts", import.meta.url);`, "core must not import app"],
  [CALLER, `import { post } from "../../community/feed/feed.ts";`, `imports ${FEED}: upwards`],
  [CALLER, `import type { Post } from "../../community/feed/feed.ts";`, `imports ${FEED}: upwards`],
  ["src/core/base/clock.ts", `import type { Caller } from "../identity/access/caller.ts";`, "upwards"],
  ["src/core/feed/feed.ts", "", "is in no layer of the core"],
  [PROFILES, `import { post } from "../feed/feed.ts";`, "a circle of src/core/community/"],
  [PROFILES, `import type { Post } from "../feed/feed.ts";`, "a circle of src/core/community/"],
  [WEB, `export { admin } from "../admin/admin.ts";`, "a circle of src/web/pages/a"],
  ["src/cli/openapi.ts", `import { x } from "./guildhall.ts";`, "a circle of src/cli/"],
  [FEED, `import { find } from "../profiles/profiles-store.ts";`, "the store of another folder"],
  [
    "src/rest/app.ts",
    `import type { find } from "../core/community/feed/feed-store.ts";`,
    "the store of another folder",
  ],
  [FEED, `import { Elysia } from "elysia";`, "imports elysia into the core"],
  [FEED, `import type { Plugin } from "elysia/plugin";`, "imports elysia/plugin into the core"],
  [FEED, `import { Database } from "bun:sqlite";`, "imports bun:sqlite into the core"],
  [FEED, `import { readFileSync } from "node:fs";`, "imports node:fs into the core"],
  [WEB, `import Database from "better-sqlite3";`, "opens files of SQLite itself"],
  [WEB, `process.dlopen({}, "x.node");`, "uses native code: process.dlopen"],
  [WEB, `import { dlopen } from "bun:ffi";`, "uses native code: bun:ffi.dlopen"],
  [FEED, `void fetch("https://elsewhere.example");`, "uses the network: fetch"],
  [WEB, `const get = { fetch };`, "uses the network: fetch"],
  [WEB, `import { connect } from "node:net";`, "uses the network: node:net.connect"],
  [WEB, `import http from "http";`, "uses the network: node:http.*"],
  [WEB, `import * as dns from "node:dns/promises";`, "uses the network: node:dns/promises.*"],
  [WEB, `export * from "node:https";`, "uses the network: node:https.*"],
  [WEB, `import { connect } from "bun";`, "uses the network: Bun.connect"],
  [WEB, `await Bun.connect({});`, "uses the network: Bun.connect"],
  [WEB, `new WebSocket("wss://elsewhere.example");`, "uses the network: WebSocket"],
  [FEED, `const { HOME } = process.env;`, "uses the environment: process.env"],
  [WEB, `const { env } = process;`, "uses the environment: process"],
  [WEB, `import { env } from "node:process";`, "uses the environment: process.env"],
  [WEB, `const home = Bun.env["HOME"];`, "uses the environment: Bun.env"],
  [WEB, `const home = import.meta.env.HOME;`, "uses the environment: import.meta.env"],
  [FEED, `const at = Date.now();`, "uses a clock: Date.now"],
  [FEED, `const at = new Date();`, "uses a clock: new Date()"],
  [FEED, `const at = new Date;`, "uses a clock: new Date()"],
  [FEED, `const { now } = Date;`, "uses a clock: Date"],
  [FEED, `const at = Temporal.Now.instant();`, "uses a clock: Temporal.Now"],
  [FEED, `const { Now } = Temporal;`, "uses a clock: Temporal"],
  [WEB, `const at = Date["now"]();`, "uses a clock: Date.now"],
  [WEB, `const at = performance.now();`, "uses a clock: performance.now"],
  [WEB, `const at = process.hrtime.bigint();`, "uses a clock: process.hrtime"],
  [WEB, `import { performance } from "node:perf_hooks";`, "uses a clock: node:perf_hooks.performance"],
  [FEED, `setTimeout(() => {}, 5);`, "uses a timer: setTimeout"],
  [WEB, `const later = setInterval;`, "uses a timer: setInterval"],
  [WEB, `await Bun.sleep(5);`, "uses a timer: Bun.sleep"],
  [
    WEB,
    `import { setTimeout } from "node:timers/promises";`,
    "uses a timer: node:timers/promises.setTimeout",
  ],
  [FEED, `const x = Math.random();`, "uses randomness: Math.random"],
  [WEB, `const id = crypto.randomUUID();`, "uses randomness: crypto.randomUUID"],
  [FEED, `import { randomInt } from "node:crypto";`, "uses randomness: node:crypto.randomInt"],
  [FEED, `import * as crypto from "node:crypto";`, "uses randomness: node:crypto.*"],
  // Files, programs and other globals.
  [WEB, `const text = await Bun.file("x").text();`, "uses files: Bun.file"],
  [WEB, `import { rmSync } from "node:fs";`, "uses files: node:fs.rmSync"],
  [WEB, `Bun.spawnSync(["ls"]);`, "uses other programs and threads: Bun.spawnSync"],
  [WEB, `console.log("here");`, "uses the console: console.log"],
  [FEED, `const answer = new Response("x");`, "uses requests: Response"],
  [FEED, `const seen = new WeakMap<object, string>();`, "keeps state in the module: seen"],
  [WEB, `export const known = new Set<string>();`, "keeps state in the module: known"],
  [WEB, `let last = 0;`, "keeps state in the module: last"],
  // Indirect access to a forbidden global.
  [FEED, `globalThis["fet" + "ch"]("x");`, "uses indirect access: globalThis.[…]"],
  [FEED, `const { random } = Math;`, "uses indirect access: Math"],
  [WEB, `const { file } = Bun;`, "uses indirect access: Bun"],
  [WEB, `process.getBuiltinModule("fs");`, "uses indirect access: process.getBuiltinModule"],
  [WEB, `eval("fetch")("x");`, "uses code written while it runs: eval"],
  [WEB, `new Function("return fetch")();`, "uses code written while it runs: Function"],
];

test("modules, layers, folders and stores import only what they may, and only named files use external packages", () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(violations(sources)).toEqual([]);
});

test("reports each violation that is planted in a clean tree", () => {
  expect(violations(read(SOUND))).toEqual([]);
  for (const [path, line, said] of PLANTED) {
    const before = new Map<string, string>(Object.entries(SOUND)).get(path) ?? "";
    const found = violations(read({ ...SOUND, [path]: `${line}\n${before}` }));
    expect([line, found.filter((each) => each.includes(path) && each.includes(said))]).not.toEqual([
      line,
      [],
    ]);
  }
});

test("ARCHITECTURE.md shows the current tree, which `bun run generate` writes", async () => {
  const page = await Bun.file(ARCHITECTURE).text();
  expect(page).toBe(withPicture(page, sources));
  expect(picture(sources).split("\n").length).toBeLessThanOrEqual(48);
  const grown = [...sources, readSource("src/core/community/groups/groups.ts", "")];
  expect(withPicture(page, grown)).not.toBe(page);
});

const GUIDES = ["ARCHITECTURE.md", "CONTRIBUTING.md"];
const code = [...new Glob("{src,scripts,tests}/**/*.{ts,tsx}").scanSync(".")]
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

function declaredIn(source: string): ReadonlySet<string> {
  const declared = source.matchAll(/\b(?:function\*?|const|class|interface|type|readonly) (\w+)/g);
  return new Set([...declared].map(([, name = ""]) => name));
}
const declared = declaredIn(code);

/** Paths and symbols that a guide cites as code but that do not exist. */
function lostCitations(guide: string): string[] {
  const text = guide.replaceAll(/\s+/g, " ");
  const spans = [...text.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
  const paths = spans.filter(
    (span) =>
      /^(?:\.ci|bench|deploy|docs|locales|scripts|src|tests)\/[\w./-]+$/.test(span) ||
      /^[\w./-]+\/[\w.-]+\.(?:ts|tsx|sql|md)$/.test(span),
  );
  const symbols = spans.filter((span) => /^[a-z]+[A-Z]\w*$|^[A-Z]+_[A-Z_]+$/.test(span));
  const placed = [...text.matchAll(/`(\w+)` in `((?:src|scripts|tests)\/[\w./-]+)`/g)];
  return [
    ...paths.filter((path) => !existsSync(path)),
    ...symbols.filter((name) => !declared.has(name) && !code.includes(`"${name}"`)),
    ...placed
      .filter(
        ([, name = "", path = ""]) => existsSync(path) && !declaredIn(readFileSync(path, "utf8")).has(name),
      )
      .map(([, name, path]) => `${name} in ${path}`),
  ];
}

test("every path and symbol that ARCHITECTURE.md and CONTRIBUTING.md cite exists", () => {
  for (const guide of GUIDES)
    expect({ guide, lost: lostCitations(readFileSync(guide, "utf8")) }).toEqual({ guide, lost: [] });
});

test("reports a citation of a path or symbol that does not exist", () => {
  for (const lost of [
    "`src/core/base/pages.ts`",
    "`cluster/follower.ts`",
    "`makeCursorNow`",
    "`RETRY_DELAYS_MS` in `src/core/base/page.ts`",
    "`pageOf` in\n  `src/http/rate-limits.ts`",
  ])
    expect([lost, lostCitations(lost)]).toEqual([lost, [expect.any(String)]]);
  expect(lostCitations("`pageOf` in `src/core/base/page.ts`, `src/core/<layer>`, `bun run lines`")).toEqual(
    [],
  );
});
