import { expect, test } from "bun:test";
import { Glob } from "bun";
import { dirname, join, normalize } from "node:path";

/** What each room may import of the others. `main.ts`, `delivery-main.ts`, `ground.ts` and `cli` wire them and may import all. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: ["core"],
  http: ["http", "core"],
  operations: ["operations", "core"],
  rest: ["rest", "operations", "http", "core"],
  graphql: ["graphql", "operations", "http", "core"],
  ops: ["ops", "http", "core"],
  web: ["web", "http", "core"],
  demo: ["demo", "core", "seed"],
  delivery: ["delivery", "core"],
  // Signs what it forwards as deliveries are signed.
  listen: ["listen", "delivery", "core"],
  oauth: ["oauth", "http", "core"],
};

/** What knows them all, because it wires them. */
const WIRING = [
  "cli",
  "main.ts",
  "delivery-main.ts",
  "doors.ts",
  "ground.ts",
  "config.ts",
  "log.ts",
  "version.ts",
];

/** Packages that the core is made of. Everything else about the outside reaches it through its context. */
const CORE_PACKAGES = [
  "drizzle-orm",
  "better-sqlite3",
  "@sinclair/typebox",
  "typeid-js",
  "ipaddr.js",
  "jose",
  "@simplewebauthn/server",
  "reflect-metadata",
];

const sources = await Array.fromAsync(
  new Glob("src/**/*.{ts,tsx}").scan({ cwd: join(import.meta.dir, "..") }),
);
const texts = new Map(
  await Promise.all(
    sources.map(async (file) => [file, await Bun.file(join(import.meta.dir, "..", file)).text()] as const),
  ),
);

function importsOf(file: string): string[] {
  const text = texts.get(file) ?? "";
  return [...text.matchAll(/(?:^|\n)(?:import|export)[^;]*?from\s+"([^"]+)"|import\("([^"]+)"\)/g)].map(
    ([, from, dynamic]) => from ?? dynamic ?? "",
  );
}

test("no door imports another door, and the core imports none of them", () => {
  const crossings: string[] = [];
  for (const file of sources) {
    const room = file.split("/")[1] ?? "";
    const allowed = MAY_IMPORT[room];
    if (!allowed) {
      if (!WIRING.includes(room)) crossings.push(`${file}: what may the room ${room} import?`);
      continue;
    }
    for (const from of importsOf(file).filter((name) => name.startsWith("."))) {
      const target = normalize(join(dirname(file), from)).split("/")[1] ?? "";
      if (!allowed.includes(target)) crossings.push(`${file} → ${from}`);
    }
  }
  expect(sources.length).toBeGreaterThan(50);
  expect(crossings).toEqual([]);
});

test("the core knows its own few packages, and no environment, request or clock", () => {
  const strangers: string[] = [];
  for (const file of sources.filter((name) => name.startsWith("src/core/"))) {
    for (const from of importsOf(file).filter((name) => !name.startsWith(".") && !name.startsWith("node:"))) {
      if (!CORE_PACKAGES.some((name) => from === name || from.startsWith(`${name}/`)))
        strangers.push(`${file} → ${from}`);
    }
    const code = (texts.get(file) ?? "").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    for (const word of [/process\.env/, /\bRequest\b\(/, /\bResponse\b\(/, /Math\.random/]) {
      if (word.test(code)) strangers.push(`${file} uses ${word.source}`);
    }
    if (file !== "src/core/ground/clock.ts" && /Date\.now\(\)|new Date\(\)|performance\./.test(code))
      strangers.push(`${file} reads a clock`);
  }
  expect(strangers).toEqual([]);
});

test("outer rooms import the core's doors, never its stores", () => {
  const trespasses = sources
    // The demo writes a past that no rule of today would let anyone write.
    .filter((file) => !file.startsWith("src/core/") && !file.startsWith("src/demo/"))
    .flatMap((file) =>
      importsOf(file)
        .filter((from) => from.endsWith("-store.ts"))
        .map((from) => `${file} → ${from}`),
    );
  expect(trespasses).toEqual([]);
});

test("only the entry and the configuration see the environment", () => {
  const readers = sources.filter((file) => /process\.env|Bun\.env/.test(texts.get(file) ?? ""));
  expect(readers).toEqual(["src/cli/guildhall.ts"]);
});
