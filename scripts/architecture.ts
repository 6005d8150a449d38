/**
 * The rules of the source tree: which module may import which, and which files may use APIs outside the
 * program. ARCHITECTURE.md shows the tree.
 */
import { dirname, join, normalize } from "node:path";
import { isBuiltin } from "node:module";
import { Glob } from "bun";
import { type Import, readSource, type Source, UNKNOWN_NAMES } from "./imports.ts";

const ROOT = join(import.meta.dir, "..");

/** The modules that each module may import. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  core: [],
  // Reads files that an operator names and measures disks.
  files: [],
  // Contains the texts of pages, emails and push notifications, and formats numbers and times per language.
  locale: ["core", "locales"],
  http: ["core"],
  operations: ["core"],
  // Serves the guides in docs/.
  rest: ["operations", "http", "core", "docs"],
  graphql: ["operations", "http", "core"],
  web: ["http", "locale", "core"],
  oauth: ["http", "core"],
  delivery: ["locale", "core"],
  // Signs forwarded events in the same way as deliveries.
  "delivery/listen": ["delivery", "files", "core"],
  "operate/backup": ["files", "core"],
  "operate/health": ["http", "files", "core"],
  // Serves certificates through a server from the `http` module.
  "operate/tls": ["http", "files", "core"],
  // Connects several nodes of one community.
  cluster: ["http", "core"],
  transfer: ["files", "core"],
  // Re-encodes and stores the pictures that members upload.
  media: ["files", "core"],
  demo: ["core", "data"],
};

/** Modules in a subfolder of another module. */
const NESTED = ["delivery/listen", "operate/backup", "operate/doctor", "operate/health", "operate/tls"];

/** The modules that may import every other module, because they wire them together. */
const WIRING = [
  "app",
  "cli",
  // Checks every module.
  "operate/doctor",
  "config",
];

/** The layers of the core, from the bottom up. Each layer imports only itself and the layers before it. */
export const LAYERS = ["base", "identity", "outbox", "delegation", "community", "services"];

/** Packages that the core may import. All other dependencies reach the core through its context. */
const CORE_PACKAGES = [
  "drizzle-orm",
  "better-sqlite3",
  "@sinclair/typebox",
  "typeid-js",
  "ipaddr.js",
  "jose",
  "@simplewebauthn/server",
  "reflect-metadata",
  "any-ascii",
];
const OPENS_SQLITE = "src/core/base/db/sqlite.ts";
const CORE_BUILTINS = ["node:crypto", "node:util", "node:zlib"];

/** Files that may import lazily, because the imported module is large or must load after another module. */
const LOADS_LATER = [
  // The commands, and the texts of the demo.
  "src/cli/commands.ts",
  "src/demo/demo.ts",
  "src/cli/guildhall.ts",
  "src/cli/schema.ts",
  "src/core/identity/accounts/webauthn.ts",
  "src/graphql/transport.ts",
  "src/graphql/graphiql.ts",
  "src/app/server.ts",
  "src/oauth/library.ts",
  "src/operate/tls/acme.ts",
  "src/operate/tls/temporary-certificate.ts",
];

/** Files that may be imported only for their effect, because they register parts of the GraphQL schema. */
const REGISTERS = ["src/graphql/schema/index.ts", "src/graphql/schema/types.ts"];

/** Files that may use APIs outside the program, by path prefix. */
const CAPABILITIES: readonly { name: string; uses: RegExp; files: readonly string[] }[] = [
  {
    name: "the environment",
    uses: /^(?:process|process\.(?:env|\*|\[…\])|Bun\.env|import\.meta\.env)$/,
    files: ["src/cli/guildhall.ts"],
  },
  {
    name: "indirect access",
    uses: /^(?:(?:globalThis|global|self|require)(?:\..*)?|import\.meta\.require|process\.getBuiltinModule|Math|Bun|Bun\.\*|\w+\.\[…\]|node:(?:module|vm)\..*)$/,
    files: [
      // A worker communicates through its global `self`.
      "src/app/delivery-worker.ts",
      "src/app/checkpoint-worker.ts",
      // This file requires a large package at the first use, in a function that cannot wait for an import.
      "src/core/base/transliteration.ts",
    ],
  },
  // This file compiles one presenter function per view.
  {
    name: "code written while it runs",
    uses: /^(?:eval|Function)(?:\..*)?$/,
    files: ["src/rest/present.ts"],
  },
  {
    name: "a clock",
    uses: /^(?:Date|Date\.now|new Date\(\)|performance(?:\..*)?|Temporal(?:\..*)?|Bun\.nanoseconds|process\.(?:hrtime|uptime)|node:perf_hooks\..*)$/,
    files: [
      "src/core/base/clock.ts",
      // These files measure how long the network and the event loop take.
      "src/delivery/attempt.ts",
      "src/http/scheduler.ts",
      "src/delivery/listen/",
      // These files create the clock of a program or of a core.
      "src/app/delivery-worker.ts",
      "src/app/data-folder.ts",
      // This file sets the OAuth library's clock to the core's time.
      "src/oauth/library.ts",
    ],
  },
  {
    name: "a timer",
    uses: /^(?:setTimeout|setInterval|setImmediate|queueMicrotask|AbortSignal|AbortSignal\.timeout|Bun\.sleep(?:Sync)?|node:timers.*)$/,
    files: [
      "src/app/background-work.ts",
      "src/cli/guildhall.ts",
      "src/cli/health.ts",
      "src/cli/signals.ts",
      "src/cluster/",
      // This file uses a timer to end a read transaction at the caller's next await.
      "src/core/base/db/copy.ts",
      "src/core/base/db/lock-queue.ts",
      "src/core/base/db/writer.ts",
      "src/core/base/fair-queue.ts",
      "src/app/delivery-worker.ts",
      "src/delivery/",
      "src/demo/demo.ts",
      "src/operate/doctor/database.ts",
      "src/operate/doctor/network.ts",
      "src/graphql/",
      "src/http/",
      "src/operate/backup/bucket.ts",
      "src/operate/backup/checkpoints.ts",
      "src/operate/backup/replica.ts",
      "src/operate/backup/key-rotation.ts",
      "src/operate/backup/child-process.ts",
      "src/operate/backup/checkpoint-thread.ts",
      "src/delivery/listen/",
      "src/app/log.ts",
      "src/app/server.ts",
      "src/app/follower.ts",
      "src/operate/health/readiness.ts",
      "src/transfer/",
      "src/rest/event-stream.ts",
      "src/rest/events.ts",
      "src/operate/tls/",
    ],
  },
  {
    name: "randomness",
    uses: /^(?:Math\.random|crypto(?:\..*)?|node:crypto\.(?:\*|default|random.*|webcrypto|getRandomValues)|Bun\.random.*)$/,
    files: [
      "src/core/base/random.ts",
      "src/graphql/single-connection.ts",
      "src/http/request-context.ts",
      "src/delivery/listen/position.ts",
      "src/oauth/provider.ts",
      // These files generate keys.
      "src/operate/tls/acme.ts",
      "src/operate/tls/temporary-certificate.ts",
    ],
  },
  {
    name: "the network",
    uses: /^(?:fetch|WebSocket|EventSource|XMLHttpRequest|Bun\.(?:connect|dns|fetch|listen|serve|udpSocket|redis|sql|s3)|node:(?:net|tls|dns|dgram|https?|http2)[./].*)$/,
    files: [
      "src/cli/health.ts",
      "src/cluster/peers.ts",
      "src/cluster/forwarding.ts",
      "src/delivery/attempt.ts",
      "src/delivery/push-request.ts",
      "src/delivery/smtp.ts",
      "src/delivery/dns.ts",
      "src/operate/doctor/network.ts",
      "src/http/server.ts",
      "src/delivery/listen/",
      "src/transfer/limited-get.ts",
      "src/operate/tls/acme.ts",
    ],
  },
  {
    name: "files",
    uses: /^(?:Bun\.(?:file|write|stdin|stdout|stderr)|node:fs[./].*)$/,
    files: [
      "src/cli/",
      "src/cluster/demotion.ts",
      "src/cluster/database-file.ts",
      "src/cluster/litestream-state.ts",
      "src/cluster/leader-mark.ts",
      "src/cluster/copy-movers.ts",
      "src/cluster/promotion.ts",
      "src/config/",
      "src/delivery/dns.ts",
      "src/operate/doctor/",
      "src/app/driver/",
      "src/files/",
      "src/app/new-data-folder.ts",
      "src/app/data-folder.ts",
      "src/http/open-files.ts",
      "src/operate/backup/",
      "src/delivery/listen/position.ts",
      "src/app/log.ts",
      "src/operate/health/address.ts",
      "src/media/",
      "src/demo/showcase-pictures.ts",
      "src/app/picture-process.ts",
      "src/transfer/",
      "src/operate/tls/files.ts",
      "src/operate/tls/renewal.ts",
      "src/web/assets.ts",
    ],
  },
  {
    name: "other programs and threads",
    uses: /^(?:Worker|BroadcastChannel|Bun\.(?:spawn|spawnSync|\$)|node:(?:child_process|worker_threads|cluster)\..*|process\.(?:exit|kill|abort|on|once))$/,
    files: [
      "src/cli/",
      "src/app/delivery-worker.ts",
      "src/delivery/thread.ts",
      "src/operate/doctor/network.ts",
      "src/operate/backup/child-process.ts",
      "src/operate/backup/checkpoint-thread.ts",
      "src/media/encoder.ts",
    ],
  },
  {
    name: "native code",
    uses: /^(?:process\.dlopen|bun:ffi\..*)$/,
    files: ["src/app/driver/"],
  },
  { name: "the console", uses: /^console(?:\..*)?$/, files: ["src/oauth/library.ts"] },
  {
    name: "requests",
    uses: /^(?:Request|Response)$/,
    files: [
      "src/cluster/",
      "src/operate/doctor/network.ts",
      "src/graphql/",
      "src/http/",
      "src/delivery/listen/",
      "src/oauth/",
      "src/operate/health/",
      "src/transfer/limited-get.ts",
      "src/rest/",
      "src/web/",
    ],
  },
];

/** Files with module-level state. All other state belongs to an object that is passed to its users. */
const STATEFUL_FILES: readonly string[] = [
  // State of the process: an event loop, a resolver, a library that is loaded once, the main program of a
  // thread.
  "src/app/delivery-worker.ts",
  "src/app/checkpoint-worker.ts",
  "src/delivery/dns.ts",
  "src/http/scheduler.ts",
  "src/oauth/library.ts",
  // State of the thread: a native module is loaded once.
  "src/core/base/db/sqlite.ts",
  // Caches of values that are computed from constants.
  "src/core/base/time-zones.ts",
  "src/core/base/check.ts",
  "src/core/base/db/migrate.ts",
  "src/locale/messages.ts",
  "src/http/compression.ts",
  "src/http/router.ts",
  // Registries that are filled while the GraphQL schema is built.
  "src/graphql/inputs.ts",
  "src/graphql/nodes.ts",
  "src/graphql/outputs.ts",
];

/** Returns the imports and uses of all sources of this program. */
export async function ownSources(): Promise<Source[]> {
  const paths = await Array.fromAsync(new Glob("src/**/*.{ts,tsx}").scan({ cwd: ROOT }));
  return Promise.all(
    paths.sort().map(async (path) => readSource(path, await Bun.file(join(ROOT, path)).text())),
  );
}

/** Returns the violations of the rules. Each is a sentence that starts with file and line. */
export function violations(sources: readonly Source[]): string[] {
  return [...sources.flatMap(ofSource), ...circlesOf(sources)];
}

function ofSource(source: Source): string[] {
  const { path } = source;
  const found = source.imports.flatMap(({ from, kind, line }) => {
    const target = targetOf(path, from);
    const faults = [
      kind === "effect" && !REGISTERS.includes(path) && `imports ${from} for its side effects`,
      kind === "dynamic" && !LOADS_LATER.includes(path) && `loads ${from} while it runs`,
      target === undefined ? ofPackage(path, from, kind) : ofTarget(path, target),
    ];
    return faults.filter((each) => typeof each === "string").map((text) => `${path}:${line} ${text}`);
  });
  const reached = source.uses.flatMap(({ what, line }) =>
    CAPABILITIES.filter(
      ({ uses, files }) => uses.test(what) && !files.some((file) => path.startsWith(file)),
    ).map(({ name }) => `${path}:${line} uses ${name}: ${what}`),
  );
  const kept = STATEFUL_FILES.includes(path)
    ? []
    : source.state.map(({ what, line }) => `${path}:${line} keeps state in the module: ${what}`);
  return [...found, ...reached, ...kept, ...unplaced(path)];
}

/** Returns the path of an imported file, or undefined for a package. */
function targetOf(path: string, from: string): string | undefined {
  return from.startsWith(".") ? normalize(join(dirname(path), from)) : undefined;
}

function ofPackage(path: string, from: string, kind: Import["kind"]): string | undefined {
  if (from === UNKNOWN_NAMES) return "imports a path that is not a literal";
  // Only the file `OPENS_SQLITE` may import the driver: in the binary, that file tells the driver where its
  // native module is.
  if (from === "better-sqlite3" && kind !== "type" && path !== OPENS_SQLITE)
    return `opens files of SQLite itself: ${OPENS_SQLITE} does it`;
  if (!path.startsWith("src/core/")) return undefined;
  const isKnown = isBuiltin(from)
    ? CORE_BUILTINS.includes(from)
    : CORE_PACKAGES.some((name) => from === name || from.startsWith(`${name}/`));
  return isKnown ? undefined : `imports ${from} into the core`;
}

function ofTarget(path: string, target: string): string | undefined {
  const [own, other] = [moduleOf(path), moduleOf(target)];
  if (own !== other && !WIRING.includes(own) && !MODULES[own]?.includes(other))
    return `imports ${target}: ${own} must not import ${other}`;
  const [layer, below] = [layerOf(path), layerOf(target)];
  if (layer >= 0 && below > layer) return `imports ${target}: upwards`;
  // The demo writes past records that today's rules reject, so it uses the stores directly.
  if (target.endsWith("-store.ts") && folderOf(path) !== folderOf(target) && own !== "demo")
    return `imports ${target}: the store of another folder`;
  return undefined;
}

function unplaced(path: string): string[] {
  const own = moduleOf(path);
  if (!MODULES[own] && !WIRING.includes(own)) return [`${path}:1 is in no module of scripts/architecture.ts`];
  return own === "core" && layerOf(path) < 0 ? [`${path}:1 is in no layer of the core`] : [];
}

/** Returns the module of a path: `rest` for `src/rest/feed.ts`, or the first folder outside of `src`. */
function moduleOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  const nested = NESTED.find((folder) => path.startsWith(`src/${folder}/`));
  return nested ?? (first === "src" ? second : first);
}

/** Returns the index of the path's layer, or -1 outside of the core and its layers. */
function layerOf(path: string): number {
  return path.startsWith("src/core/") ? LAYERS.indexOf(path.split("/")[2] ?? "") : -1;
}

/** Folders whose files are separate nodes of the graph. Folders with subfolders are treated the same way. */
const BY_FILE = ["src/cli"];

/** Returns the node of a path: its folder, or the file itself if its folder is in `holders`. */
function folderOf(path: string, holders: ReadonlySet<string> = new Set()): string {
  const folder = dirname(path);
  return holders.has(folder) ? path : folder;
}

type Graph = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Returns the edges between nodes. Each edge has one example import. */
function graphOf(sources: readonly Source[]): Graph {
  const folders = new Set(sources.map(({ path }) => dirname(path)));
  const holders = new Set([...BY_FILE, ...[...folders].map((folder) => dirname(folder))]);
  const graph = new Map<string, Map<string, string>>();
  for (const { path, imports } of sources) {
    const from = folderOf(path, holders);
    const edges = graph.get(from) ?? new Map<string, string>();
    graph.set(from, edges);
    for (const each of imports) {
      const target = targetOf(path, each.from);
      if (target === undefined || !/^src\/.*\.tsx?$/.test(target)) continue;
      const to = folderOf(target, holders);
      if (to !== from && !edges.has(to)) edges.set(to, `${path}:${each.line} imports ${target}`);
    }
  }
  return graph;
}

/** Returns one sentence per import cycle, with the imports that form the cycle. */
function circlesOf(sources: readonly Source[]): string[] {
  const graph = graphOf(sources);
  const done = new Set<string>();
  const circles: string[] = [];
  for (const start of graph.keys()) walk(start, []);
  return circles;

  function walk(folder: string, way: readonly string[]): void {
    const at = way.indexOf(folder);
    if (at >= 0) {
      const round = [...way.slice(at), folder];
      const steps = round.slice(1).map((to, i) => graph.get(round[i] ?? "")?.get(to) ?? "");
      circles.push(`${steps.join(", ")}: a circle of ${round.slice(1).join(", ")}`);
      return;
    }
    if (done.has(folder)) return;
    for (const to of graph.get(folder)?.keys() ?? []) walk(to, [...way, folder]);
    done.add(folder);
  }
}

/**
 * Draws the modules, and then the layers from the top down. A layer shows its folders and their imports
 * within the layer.
 */
export function picture(sources: readonly Source[]): string {
  const graph = graphOf(sources);
  const modules = Object.entries(MODULES).filter(([name]) => name !== "core");
  const names = [...modules.map(([name]) => name), ...LAYERS];
  const width = Math.max(...names.map((name) => name.length)) + 2;
  const line = (name: string, text: string) => `${name.padEnd(width)}${text}`.trimEnd();
  return [
    `${WIRING.join(", ")} import every module`,
    "",
    ...modules.map(([name, others]) => line(name, `→ ${others.join(", ")}`)),
    "",
    "core: each layer imports those below it",
    ...LAYERS.toReversed().flatMap((layer) =>
      wrapped(conceptsOf(graph, layer)).map((text, i) => line(i === 0 ? layer : "", text)),
    ),
    "",
    "pages of the site",
    ...wrapped(conceptsOf(graph, "pages")).map((text) => line("", text)),
  ].join("\n");
}

/**
 * Formats the folders of a layer with their imports, such as `feed → profiles, xp`. The folders with the
 * fewest imports are first.
 */
function conceptsOf(graph: Graph, layer: string): string[] {
  const nameIn = (folder: string) => (folder.endsWith(".ts") ? undefined : folder.split(`/${layer}/`)[1]);
  const below = new Map<string, string[]>();
  for (const [folder, edges] of graph) {
    const name = nameIn(folder);
    if (name !== undefined) below.set(name, [...edges.keys()].flatMap((to) => nameIn(to) ?? []).sort());
  }
  const depth = (name: string): number =>
    Math.max(0, ...(below.get(name) ?? []).map((each) => depth(each) + 1));
  const order = [...below.keys()].sort((a, b) => depth(a) - depth(b) || a.localeCompare(b));
  return order.map((name) => [name, below.get(name)?.join(", ")].filter(Boolean).join(" → "));
}

const LINE = 100;

function wrapped(parts: readonly string[]): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length + 3 <= LINE)
      lines[lines.length - 1] = `${last} · ${part}`;
    else lines.push(part);
  }
  return lines;
}

export const ARCHITECTURE = new URL("../ARCHITECTURE.md", import.meta.url);
const MARKED = /(<!-- tree: made by `bun run generate` -->\n)[\s\S]*?(<!-- end of tree -->)/;

/** Returns ARCHITECTURE.md with the tree of these sources between its markers. */
export function withPicture(page: string, sources: readonly Source[]): string {
  if (!MARKED.test(page)) throw new Error("ARCHITECTURE.md has no place for the picture of the tree");
  return page.replace(
    MARKED,
    (_, begin: string, end: string) => `${begin}\n\`\`\`\n${picture(sources)}\n\`\`\`\n\n${end}`,
  );
}
