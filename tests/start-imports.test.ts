import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";

const ROOT = join(import.meta.dir, "..");

/**
 * Packages that a program loads before it runs. Each costs memory and start time on every server. Other
 * packages load when first used.
 */
const AT_START: Readonly<Record<string, readonly string[]>> = {
  "src/cli/serve.ts": [
    "@fastify/busboy",
    "@kitajs/html",
    "@sinclair/typebox",
    "age-encryption",
    "better-sqlite3",
    "cli-progress",
    "diff",
    "drizzle-orm",
    "elysia",
    "fetch-to-node",
    "fflate",
    "graphql",
    "ipaddr.js",
    "jose",
    "modern-tar",
    "negotiator",
    "pino",
    "prom-client",
    "qr",
    "smol-toml",
    "typeid-js",
  ],
  "src/app/delivery-worker.ts": [
    "@kitajs/html",
    "@sinclair/typebox",
    "better-sqlite3",
    "drizzle-orm",
    "http_ece",
    "ipaddr.js",
    "jose",
    "nodemailer",
    "pino",
    "typeid-js",
  ],
  "src/app/checkpoint-worker.ts": ["better-sqlite3"],
  // The package and the container image ask for the health every few seconds.
  "src/cli/health.ts": [
    "@sinclair/typebox",
    "better-sqlite3",
    "drizzle-orm",
    "ipaddr.js",
    "pino",
    "smol-toml",
    "typeid-js",
  ],
};

/** Returns the files and packages that a file imports before it runs, directly or through other files. */
function loadedBy(entry: string): { files: string[]; packages: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const next = [entry];
  for (let path = next.pop(); path !== undefined; path = next.pop()) {
    if (files.has(path) || !/\.tsx?$/.test(path)) continue;
    files.add(path);
    const transpiler = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" });
    for (const { path: from, kind } of transpiler.scanImports(readFileSync(join(ROOT, path), "utf8"))) {
      if (kind === "dynamic-import" || /^(?:node|bun):|jsx-(?:dev-)?runtime|^react/.test(from)) continue;
      // Required inside of a function, so it loads at the first call.
      if (kind === "require-call" && from === "any-ascii") continue;
      if (from.startsWith(".")) next.push(relative(ROOT, Bun.resolveSync(from, join(ROOT, path, ".."))));
      else packages.add(from.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? from);
    }
  }
  return { files: [...files].sort(), packages: [...packages].sort() };
}

for (const [entry, packages] of Object.entries(AT_START))
  test(`${entry} loads only its packages at the start`, () => {
    expect(loadedBy(entry).packages).toEqual([...packages]);
  });

test("a server loads commands, imports, demo texts and GraphQL only when they are used", () => {
  const later =
    /^src\/(?:cli\/(?:export|import|doctor|restore)\.ts|transfer\/|demo\/community|graphql\/s(?:chema\/|erver))/;

  expect(loadedBy("src/cli/serve.ts").files.filter((path) => later.test(path))).toEqual([]);
});
