/**
 * The rules of the tree: what may import what, and which files may use what is outside of the program. Its
 * picture is in ARCHITECTURE.md.
 */
import { dirname, join, normalize } from "node:path";
import { isBuiltin } from "node:module";
import { Glob } from "bun";
import { type Import, readSource, type Source, UNKNOWN } from "./imports.ts";

const ROOT = join(import.meta.dir, "..");

/** What each module may import of the others. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  core: [],
  // Reads files that an operator names, and measures disks.
  files: [],
  // What pages, mails and push notifications say, and how a language writes numbers and times.
  locale: ["core", "locales"],
  http: ["core"],
  operations: ["core"],
  // Serves the guides of the folder docs.
  rest: ["operations", "http", "core", "docs"],
  graphql: ["operations", "http", "core"],
  web: ["http", "locale", "core"],
  oauth: ["http", "core"],
  delivery: ["locale", "core"],
  // Signs what it forwards as deliveries are signed.
  "delivery/listen": ["delivery", "files", "core"],
  "operate/backup": ["files", "core"],
  "operate/health": ["http", "files", "core"],
  // Shows its certificates through a server of that folder.
  "operate/tls": ["http", "files", "core"],
  // Several nodes with one community.
  cluster: ["http", "core"],
  transfer: ["files", "core"],
  // Re-encodes and stores the pictures that members send.
  media: ["files", "core"],
  demo: ["core", "data"],
};

/** Modules that are a folder inside another. */
const NESTED = ["delivery/listen", "operate/backup", "operate/doctor", "operate/health", "operate/tls"];

/** The modules that may import every other, because they wire them. */
const WIRING = [
  "app",
  "cli",
  // Checks all of it.
  "operate/doctor",
  "config",
];

/** The layers of the core, from the bottom up. Each imports itself and those before it. */
export const LAYERS = ["base", "identity", "outbox", "delegation", "community", "services"];

/** Packages that the core may import. Everything else outside reaches it through its context. */
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
const OPENS_SQLITE = "src/core/base/db/sqlite.ts";
const CORE_BUILTINS = ["node:crypto", "node:util", "node:zlib"];

/**
 * Files that load another only when it is needed: what they load is large, or must come after something else.
 */
const LOADS_LATER = [
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

/** Files that register their parts when they are imported. */
const REGISTERS = ["src/graphql/schema/index.ts", "src/graphql/schema/types.ts"];

/** Which files may use what is outside of the program, by the beginning of their path. */
const CAPABILITIES: readonly { name: string; uses: RegExp; files: readonly string[] }[] = [
  {
    name: "the environment",
    uses: /^(?:process|process\.(?:env|\*|\[…\])|Bun\.env|import\.meta\.env)$/,
    files: ["src/cli/guildhall.ts"],
  },
  {
    name: "indirect access",
    uses: /^(?:(?:globalThis|global|self|require)(?:\..*)?|import\.meta\.require|process\.getBuiltinModule|Math|Bun|Bun\.\*|\w+\.\[…\]|node:(?:module|vm)\..*)$/,
    // A worker is faults through its own global.
    files: ["src/app/delivery-worker.ts", "src/app/checkpoint-worker.ts"],
  },
  // A presenter is written once for each view.
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
      // Measures waits on the network and on this thread.
      "src/delivery/attempt.ts",
      "src/http/scheduler.ts",
      "src/delivery/listen/",
      // Start a program.
      "src/app/delivery-worker.ts",
      "src/app/data-folder.ts",
      // Gives the library the core's time.
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
      // Ends what it reads of one moment at the next await.
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
      // Have keys made.
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
      "src/transfer/polite-fetch.ts",
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
      "src/transfer/polite-fetch.ts",
      "src/rest/",
      "src/web/",
    ],
  },
];

/** Files with state of their own while the program runs. All other state has an owner who passes it on. */
const STATEFUL_FILES: readonly string[] = [
  // Of the process: one event loop, one resolver, a library that is loaded once, the program of a thread.
  "src/app/delivery-worker.ts",
  "src/app/checkpoint-worker.ts",
  "src/delivery/dns.ts",
  "src/http/scheduler.ts",
  "src/oauth/library.ts",
  // Of the thread: a native part is loaded once.
  "src/core/base/db/sqlite.ts",
  // Worked out from what never changes, and only remembered.
  "src/core/base/time-zones.ts",
  "src/core/base/check.ts",
  "src/core/base/db/migrate.ts",
  "src/http/compression.ts",
  "src/http/router.ts",
  // Filled while the schema of the graph is built.
  "src/graphql/inputs.ts",
  "src/graphql/nodes.ts",
  "src/graphql/outputs.ts",
];

/** What the sources of this program import and use. */
export async function ownSources(): Promise<Source[]> {
  const paths = await Array.fromAsync(new Glob("src/**/*.{ts,tsx}").scan({ cwd: ROOT }));
  return Promise.all(
    paths.sort().map(async (path) => readSource(path, await Bun.file(join(ROOT, path)).text())),
  );
}

/** What breaks the rules, each as a sentence that begins with file and line. */
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
    return faults.filter((each) => typeof each === "string").map((words) => `${path}:${line} ${words}`);
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

/** Undefined for a package. */
function targetOf(path: string, from: string): string | undefined {
  return from.startsWith(".") ? normalize(join(dirname(path), from)) : undefined;
}

function ofPackage(path: string, from: string, kind: Import["kind"]): string | undefined {
  if (from === UNKNOWN) return "imports a path that is not a literal";
  // In the binary the driver finds its native part through this one place alone.
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
  // The demo writes a past that no rule of today would let anyone write.
  if (target.endsWith("-store.ts") && folderOf(path) !== folderOf(target) && own !== "demo")
    return `imports ${target}: the store of another folder`;
  return undefined;
}

function unplaced(path: string): string[] {
  const own = moduleOf(path);
  if (!MODULES[own] && !WIRING.includes(own)) return [`${path}:1 is in no module of scripts/architecture.ts`];
  return own === "core" && layerOf(path) < 0 ? [`${path}:1 is in no layer of the core`] : [];
}

/** `rest` of `src/rest/feed.ts`; the first folder of a path outside of `src`. */
function moduleOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  const nested = NESTED.find((folder) => path.startsWith(`src/${folder}/`));
  return nested ?? (first === "src" ? second : first);
}

/** The index of its layer; -1 outside of the core, or of its layers. */
function layerOf(path: string): number {
  return path.startsWith("src/core/") ? LAYERS.indexOf(path.split("/")[2] ?? "") : -1;
}

/** Folders whose files are nodes of the graph, as they are in each folder that holds others. */
const BY_FILE = ["src/cli"];

/** The nodes of the graph: folders, and files beside folders. */
function folderOf(path: string, holders: ReadonlySet<string> = new Set()): string {
  const folder = dirname(path);
  return holders.has(folder) ? path : folder;
}

type Graph = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** From folder to folder, with an import that makes the edge. */
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

/** One sentence for each circle: the imports that make it. */
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

/** Each module, and each layer from the top down: its folders, and what each imports of its own layer. */
export function picture(sources: readonly Source[]): string {
  const graph = graphOf(sources);
  const modules = Object.entries(MODULES).filter(([name]) => name !== "core");
  const names = [...modules.map(([name]) => name), ...LAYERS];
  const width = Math.max(...names.map((name) => name.length)) + 2;
  const line = (name: string, words: string) => `${name.padEnd(width)}${words}`.trimEnd();
  return [
    `${WIRING.join(", ")} import every module`,
    "",
    ...modules.map(([name, others]) => line(name, `→ ${others.join(", ")}`)),
    "",
    "core: each layer imports those below it",
    ...LAYERS.toReversed().flatMap((layer) =>
      wrapped(conceptsOf(graph, layer)).map((words, i) => line(i === 0 ? layer : "", words)),
    ),
    "",
    "pages of the site",
    ...wrapped(conceptsOf(graph, "pages")).map((words) => line("", words)),
  ].join("\n");
}

/** `feed → profiles, xp`: the folders of a layer, those that import least first. */
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

/** ARCHITECTURE.md with the picture of these sources between its marks. */
export function withPicture(page: string, sources: readonly Source[]): string {
  if (!MARKED.test(page)) throw new Error("ARCHITECTURE.md has no place for the picture of the tree");
  return page.replace(
    MARKED,
    (_, begin: string, end: string) => `${begin}\n\`\`\`\n${picture(sources)}\n\`\`\`\n\n${end}`,
  );
}
