import { expect, test } from "bun:test";
import { readSource } from "../scripts/imports.ts";
import { ARCHITECTURE, offences, ownSources, picture, withPicture } from "../scripts/architecture.ts";

const sources = await ownSources();

/** A small tree that breaks nothing. */
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

/** What is written into which file, and what is said of it. */
const PLANTED: readonly [path: string, line: string, said: string][] = [
  // Rooms.
  [FEED, `import { app } from "../../../rest/app.ts";`, "imports src/rest/app.ts: core must not know rest"],
  [FEED, `import type { app } from "../../../rest/app.ts";`, "core must not know rest"],
  [FEED, `type App = import("../../../rest/app.ts").App;`, "core must not know rest"],
  [FEED, `export { app } from "../../../rest/app.ts";`, "core must not know rest"],
  [FEED, `export * from "../../../rest/app.ts";`, "core must not know rest"],
  [WEB, `import { app } from "../../../rest/app.ts";`, "web must not know rest"],
  ["src/nowhere/x.ts", "", "stands in a room of which nothing is known"],
  // For its effect, and while it runs.
  [FEED, `import "../../../rest/app.ts";`, "runs ../../../rest/app.ts and takes nothing of it"],
  [FEED, `import "../profiles/profiles.ts";`, "runs ../profiles/profiles.ts and takes nothing of it"],
  [FEED, `await import("../profiles/profiles.ts");`, "loads ../profiles/profiles.ts while it runs"],
  [FEED, `await import(FEED);`, "imports what nobody can see"],
  [FEED, `new URL("../../../app/delivery-worker.ts", import.meta.url);`, "core must not know app"],
  // Storeys, folders and stores.
  [CALLER, `import { post } from "../../community/feed/feed.ts";`, `imports ${FEED}: upwards`],
  [CALLER, `import type { Post } from "../../community/feed/feed.ts";`, `imports ${FEED}: upwards`],
  ["src/core/base/clock.ts", `import type { Caller } from "../identity/access/caller.ts";`, "upwards"],
  ["src/core/feed/feed.ts", "", "stands in no storey of the core"],
  [PROFILES, `import { post } from "../feed/feed.ts";`, "a circle of src/core/community/"],
  [PROFILES, `import type { Post } from "../feed/feed.ts";`, "a circle of src/core/community/"],
  [WEB, `export { admin } from "../admin/admin.ts";`, "a circle of src/web/pages/a"],
  ["src/cli/openapi.ts", `import { x } from "./guildhall.ts";`, "a circle of src/cli/"],
  [FEED, `import { find } from "../profiles/profiles-store.ts";`, "a store of somebody else"],
  [
    "src/rest/app.ts",
    `import type { find } from "../core/community/feed/feed-store.ts";`,
    "a store of somebody else",
  ],
  // Packages of the core.
  [FEED, `import { Elysia } from "elysia";`, "brings elysia into the core"],
  [FEED, `import type { Plugin } from "elysia/plugin";`, "brings elysia/plugin into the core"],
  [FEED, `import { Database } from "bun:sqlite";`, "brings bun:sqlite into the core"],
  [FEED, `import { readFileSync } from "node:fs";`, "brings node:fs into the core"],
  [WEB, `import Database from "better-sqlite3";`, "opens files of SQLite itself"],
  [WEB, `process.dlopen({}, "x.node");`, "uses code of the machine: process.dlopen"],
  [WEB, `import { dlopen } from "bun:ffi";`, "uses code of the machine: bun:ffi.dlopen"],
  // The network.
  [FEED, `void fetch("https://elsewhere.example");`, "uses the network: fetch"],
  [WEB, `const get = { fetch };`, "uses the network: fetch"],
  [WEB, `import { connect } from "node:net";`, "uses the network: node:net.connect"],
  [WEB, `import http from "http";`, "uses the network: node:http.*"],
  [WEB, `import * as dns from "node:dns/promises";`, "uses the network: node:dns/promises.*"],
  [WEB, `export * from "node:https";`, "uses the network: node:https.*"],
  [WEB, `import { connect } from "bun";`, "uses the network: Bun.connect"],
  [WEB, `await Bun.connect({});`, "uses the network: Bun.connect"],
  [WEB, `new WebSocket("wss://elsewhere.example");`, "uses the network: WebSocket"],
  // The environment.
  [FEED, `const { HOME } = process.env;`, "uses the environment: process.env"],
  [WEB, `const { env } = process;`, "uses the environment: process"],
  [WEB, `import { env } from "node:process";`, "uses the environment: process.env"],
  [WEB, `const home = Bun.env["HOME"];`, "uses the environment: Bun.env"],
  [WEB, `const home = import.meta.env.HOME;`, "uses the environment: import.meta.env"],
  // Clocks and timers.
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
  // Chance.
  [FEED, `const x = Math.random();`, "uses chance: Math.random"],
  [WEB, `const id = crypto.randomUUID();`, "uses chance: crypto.randomUUID"],
  [FEED, `import { randomInt } from "node:crypto";`, "uses chance: node:crypto.randomInt"],
  [FEED, `import * as crypto from "node:crypto";`, "uses chance: node:crypto.*"],
  // Files, programs, the console, requests.
  [WEB, `const text = await Bun.file("x").text();`, "uses files: Bun.file"],
  [WEB, `import { rmSync } from "node:fs";`, "uses files: node:fs.rmSync"],
  [WEB, `Bun.spawnSync(["ls"]);`, "uses other programs and threads: Bun.spawnSync"],
  [WEB, `console.log("here");`, "uses the console: console.log"],
  [FEED, `const answer = new Response("x");`, "uses requests: Response"],
  // State that nobody owns.
  [FEED, `const seen = new WeakMap<object, string>();`, "keeps state in the module: seen"],
  [WEB, `export const known = new Set<string>();`, "keeps state in the module: known"],
  [WEB, `let last = 0;`, "keeps state in the module: last"],
  // What hides one of them.
  [FEED, `globalThis["fet" + "ch"]("x");`, "uses what hides what is used: globalThis.[…]"],
  [FEED, `const { random } = Math;`, "uses what hides what is used: Math"],
  [WEB, `const { file } = Bun;`, "uses what hides what is used: Bun"],
  [WEB, `process.getBuiltinModule("fs");`, "uses what hides what is used: process.getBuiltinModule"],
  [WEB, `eval("fetch")("x");`, "uses code written while it runs: eval"],
  [WEB, `new Function("return fetch")();`, "uses code written while it runs: Function"],
];

test("the tree keeps its law: rooms, storeys, folders without circles, stores of one's own, and who may reach outside", () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(offences(sources)).toEqual([]);
});

test("the law sees what breaks it: nothing in a sound tree, and each of these where it is planted", () => {
  expect(offences(read(SOUND))).toEqual([]);
  for (const [path, line, said] of PLANTED) {
    const before = new Map<string, string>(Object.entries(SOUND)).get(path) ?? "";
    const found = offences(read({ ...SOUND, [path]: `${line}\n${before}` }));
    expect([line, found.filter((each) => each.includes(path) && each.includes(said))]).not.toEqual([
      line,
      [],
    ]);
  }
});

test("ARCHITECTURE.md shows the tree as it is: `bun run generate` draws it", async () => {
  const page = await Bun.file(ARCHITECTURE).text();
  expect(page).toBe(withPicture(page, sources));
  expect(picture(sources).split("\n").length).toBeLessThanOrEqual(44);
  const grown = [...sources, readSource("src/core/community/groups/groups.ts", "")];
  expect(withPicture(page, grown)).not.toBe(page);
});
