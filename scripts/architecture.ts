/**
 * The law of the tree: what may import what, and who may reach outside. Its picture stands in
 * ARCHITECTURE.md.
 */
import { basename, dirname, join, normalize } from "node:path";
import { isBuiltin } from "node:module";
import { Glob } from "bun";
import { type Import, readSource, type Source, UNKNOWN } from "./imports.ts";

const ROOT = join(import.meta.dir, "..");

/** What each room may import of the others. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  // Reads what an operator has named, and says what a disk has.
  files: [],
  // What pages, mails and push notifications say, and how a language writes numbers and times.
  locale: ["core", "locales"],
  http: ["core"],
  operations: ["core"],
  // Serves the guides of the folder docs.
  rest: ["operations", "http", "core", "docs"],
  graphql: ["operations", "http", "core"],
  web: ["http", "core"],
  oauth: ["http", "core"],
  delivery: ["core"],
  // Signs what it forwards as deliveries are signed.
  "delivery/listen": ["delivery", "files", "core"],
  "operate/backup": ["files", "core"],
  "operate/health": ["http", "files", "core"],
  // Shows its certificates through a server of that folder.
  "operate/tls": ["http", "files", "core"],
  // Several machines with one community: what they say to each other.
  cluster: ["http", "core"],
  transfer: ["files", "core"],
  // Encodes the pictures that members send, and keeps them.
  media: ["files", "core"],
  demo: ["core", "data"],
};

/** Those that are a folder inside another. */
const NESTED = ["delivery/listen", "operate/backup", "operate/doctor", "operate/health", "operate/tls"];

/** What knows them all, because it wires them. */
const WIRING = [
  "app",
  "cli",
  // Looks at all of it.
  "operate/doctor",
  "config",
];

/** The storeys of the core, from the ground up. Each imports itself and those before it. */
export const STOREYS = ["base", "identity", "outbox", "delegation", "community", "services"];

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

/** Files whose parts enter themselves somewhere when they are run. */
const RUNS_ALONE = ["src/graphql/schema/index.ts", "src/graphql/schema/types.ts"];

/**
 * Who may do what reaches outside of the program, by the beginning of their path. What is not reckoned here
 * anybody may use.
 */
const POWERS: readonly { power: string; uses: RegExp; rooms: readonly string[] }[] = [
  {
    power: "the environment",
    uses: /^(?:process|process\.(?:env|\*|\[…\])|Bun\.env|import\.meta\.env)$/,
    rooms: ["src/cli/guildhall.ts"],
  },
  {
    power: "what hides what is used",
    uses: /^(?:(?:globalThis|global|self|require)(?:\..*)?|import\.meta\.require|process\.getBuiltinModule|Math|Bun|Bun\.\*|\w+\.\[…\]|node:(?:module|vm)\..*)$/,
    // A worker is told through its own global.
    rooms: ["src/app/delivery-worker.ts", "src/app/checkpoint-worker.ts"],
  },
  // A presenter is written once for each view.
  {
    power: "code written while it runs",
    uses: /^(?:eval|Function)(?:\..*)?$/,
    rooms: ["src/rest/present.ts"],
  },
  {
    power: "a clock",
    uses: /^(?:Date|Date\.now|new Date\(\)|performance(?:\..*)?|Temporal(?:\..*)?|Bun\.nanoseconds|process\.(?:hrtime|uptime)|node:perf_hooks\..*)$/,
    rooms: [
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
    power: "a timer",
    uses: /^(?:setTimeout|setInterval|setImmediate|queueMicrotask|AbortSignal|AbortSignal\.timeout|Bun\.sleep(?:Sync)?|node:timers.*)$/,
    rooms: [
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
      "src/operate/backup/rotation.ts",
      "src/operate/backup/run.ts",
      "src/operate/backup/thread.ts",
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
    power: "chance",
    uses: /^(?:Math\.random|crypto(?:\..*)?|node:crypto\.(?:\*|default|random.*|webcrypto|getRandomValues)|Bun\.random.*)$/,
    rooms: [
      "src/core/base/random.ts",
      "src/graphql/single.ts",
      "src/http/request-context.ts",
      "src/delivery/listen/position.ts",
      "src/oauth/provider.ts",
      // Have keys made.
      "src/operate/tls/acme.ts",
      "src/operate/tls/temporary-certificate.ts",
    ],
  },
  {
    power: "the network",
    uses: /^(?:fetch|WebSocket|EventSource|XMLHttpRequest|Bun\.(?:connect|dns|fetch|listen|serve|udpSocket|redis|sql|s3)|node:(?:net|tls|dns|dgram|https?|http2)[./].*)$/,
    rooms: [
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
    power: "files",
    uses: /^(?:Bun\.(?:file|write|stdin|stdout|stderr)|node:fs[./].*)$/,
    rooms: [
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
    power: "other programs and threads",
    uses: /^(?:Worker|BroadcastChannel|Bun\.(?:spawn|spawnSync|\$)|node:(?:child_process|worker_threads|cluster)\..*|process\.(?:exit|kill|abort|on|once))$/,
    rooms: [
      "src/cli/",
      "src/app/delivery-worker.ts",
      "src/delivery/thread.ts",
      "src/operate/doctor/network.ts",
      "src/operate/backup/run.ts",
      "src/operate/backup/thread.ts",
      "src/media/encoder.ts",
    ],
  },
  {
    power: "code of the machine",
    uses: /^(?:process\.dlopen|bun:ffi\..*)$/,
    rooms: ["src/app/driver/"],
  },
  { power: "the console", uses: /^console(?:\..*)?$/, rooms: ["src/oauth/library.ts"] },
  {
    power: "requests",
    uses: /^(?:Request|Response)$/,
    rooms: [
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

/**
 * Modules that keep something while the program runs, by what it is of. All other state has an owner who
 * passes it on.
 */
const KEEPERS: readonly string[] = [
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
  "src/http/compression.ts",
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

/** What breaks the law, each as a sentence that begins with its place. */
export function offences(sources: readonly Source[]): string[] {
  return [...sources.flatMap(ofSource), ...circlesOf(sources)];
}

function ofSource(source: Source): string[] {
  const { path } = source;
  const found = source.imports.flatMap(({ from, kind, line }) => {
    const target = targetOf(path, from);
    const told = [
      kind === "effect" && !RUNS_ALONE.includes(path) && `runs ${from} and takes nothing of it`,
      kind === "dynamic" && !LOADS_LATER.includes(path) && `loads ${from} while it runs`,
      target === undefined ? ofPackage(path, from, kind) : ofTarget(path, target),
    ];
    return told.filter((each) => typeof each === "string").map((words) => `${path}:${line} ${words}`);
  });
  const reached = source.uses.flatMap(({ what, line }) =>
    POWERS.filter(({ uses, rooms }) => uses.test(what) && !rooms.some((room) => path.startsWith(room))).map(
      ({ power }) => `${path}:${line} uses ${power}: ${what}`,
    ),
  );
  const kept = KEEPERS.includes(path)
    ? []
    : source.state.map(({ what, line }) => `${path}:${line} keeps state in the module: ${what}`);
  return [...found, ...reached, ...kept, ...standsNowhere(path)];
}

/** Undefined for a package. */
function targetOf(path: string, from: string): string | undefined {
  return from.startsWith(".") ? normalize(join(dirname(path), from)) : undefined;
}

function ofPackage(path: string, from: string, kind: Import["kind"]): string | undefined {
  if (from === UNKNOWN) return "imports what nobody can see";
  // In the binary the driver finds its native part through this one place alone.
  if (from === "better-sqlite3" && kind !== "type" && path !== OPENS_SQLITE)
    return `opens files of SQLite itself: ${OPENS_SQLITE} does it`;
  if (!path.startsWith("src/core/")) return undefined;
  const isKnown = isBuiltin(from)
    ? CORE_BUILTINS.includes(from)
    : CORE_PACKAGES.some((name) => from === name || from.startsWith(`${name}/`));
  return isKnown ? undefined : `brings ${from} into the core`;
}

function ofTarget(path: string, target: string): string | undefined {
  const [room, other] = [roomOf(path), roomOf(target)];
  if (room !== other && !WIRING.includes(room) && !ROOMS[room]?.includes(other))
    return `imports ${target}: ${room} must not know ${other}`;
  const [storey, below] = [storeyOf(path), storeyOf(target)];
  if (storey >= 0 && below > storey) return `imports ${target}: upwards`;
  // The demo writes a past that no rule of today would let anyone write.
  if (target.endsWith("-store.ts") && folderOf(path) !== folderOf(target) && room !== "demo")
    return `imports ${target}: a store of somebody else`;
  return undefined;
}

function standsNowhere(path: string): string[] {
  const room = roomOf(path);
  if (!ROOMS[room] && !WIRING.includes(room)) return [`${path}:1 stands in a room of which nothing is known`];
  return room === "core" && storeyOf(path) < 0 ? [`${path}:1 stands in no storey of the core`] : [];
}

/** `rest` of `src/rest/feed.ts`; what lies outside of `src` is called by its first folder. */
function roomOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  const nested = NESTED.find((module) => path.startsWith(`src/${module}/`));
  return nested ?? (first === "src" ? second : first);
}

/** Its number from the ground; -1 for what is not in the core, or in no storey of it. */
function storeyOf(path: string): number {
  return path.startsWith("src/core/") ? STOREYS.indexOf(path.split("/")[2] ?? "") : -1;
}

/** Folders of which each file stands for itself, as it does in each folder that holds others. */
const BY_FILE = ["src/cli"];

/** What circles are looked for among: folders, and files that stand beside folders. */
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

/** One sentence for each knot: a way round it, by the imports that make it. */
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
 * Each room, and each storey from the top down: what stands in it, and what of its own storey that imports.
 */
export function picture(sources: readonly Source[]): string {
  const graph = graphOf(sources);
  const rooms = Object.entries(ROOMS).filter(([room]) => room !== "core");
  const names = [...rooms.map(([room]) => room), ...STOREYS];
  const width = Math.max(...names.map((name) => name.length)) + 2;
  const line = (name: string, words: string) => `${name.padEnd(width)}${words}`.trimEnd();
  return [
    `${WIRING.map((name) => basename(name, ".ts")).join(", ")}: wire all of it`,
    "",
    ...rooms.map(([room, others]) => line(room, `→ ${others.join(", ")}`)),
    "",
    "core, each storey on those below it",
    ...STOREYS.toReversed().flatMap((storey) =>
      wrapped(conceptsOf(graph, storey)).map((words, i) => line(i === 0 ? storey : "", words)),
    ),
    "",
    "pages of the site, by area",
    ...wrapped(conceptsOf(graph, "pages")).map((words) => line("", words)),
  ].join("\n");
}

/** `feed → profiles, xp`: the folders of a storey, those that import least first. */
function conceptsOf(graph: Graph, storey: string): string[] {
  const nameIn = (folder: string) => (folder.endsWith(".ts") ? undefined : folder.split(`/${storey}/`)[1]);
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

const LINE = 96;

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
