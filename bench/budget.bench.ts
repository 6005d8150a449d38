import { Database } from "bun:sqlite";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Budgets,
  judge,
  REQUEST_ROWS,
  type RequestRow,
  type Result,
  type RowName,
  UNITS,
  type Verdict,
} from "./budget/limits.ts";
import { buildCommit, buildTree, BudgetError, copyData, requireCommit, run } from "./budget/programs.ts";
import { burst, pageBytes, type Requests, requestsOf } from "./budget/requests.ts";
import { median, residentMiB, row, type Served, serve } from "./server.ts";

/**
 * Time at which the measurements of all rows end, counted from the start of the bench. The whole run then
 * takes at most two minutes.
 */
const ROUNDS_END_MS = 85_000;
/** Duration of the last measurements, which cover only the rows above their limit. */
const CONFIRM_MS = 25_000;
/**
 * Number of server starts with measurements. Several are needed because the JIT compiler optimizes each
 * process a little differently.
 */
const STARTS_MEASURED = 3;
/** The start itself is measured more often, because other work on the machine changes its CPU time most. */
const STARTS = 20;
const ROUNDS_MIN = 12;
/** Share of the measurements after a start that only warm up the program. They are not counted. */
const WARM_UP_SHARE = 0.3;
/** How long a server is idle before its memory is read. */
const IDLE_MS = 1_500;
/**
 * The requests are divided among four members, because one member may request at most 600 pages per minute.
 */
const MEMBERS = ["member_0", "member_1", "member_2", "member_3"] as const;
const PASSWORD = "a password of the budget";
const SIDES = ["baseline", "tree"] as const;

type Side = (typeof SIDES)[number];
type PerSide<Item> = Record<Side, Item>;
type Note = (name: RowName, turn: PerSide<number>) => void;

/**
 * Compares this tree with the baseline of bench/budget.json. Both binaries get the same data and the same
 * requests, alternately. A ratio above its limit sets the exit code to 1. `BASELINE=commit` compares with
 * another commit.
 */
export async function budget(): Promise<void> {
  const end = performance.now() + ROUNDS_END_MS;
  const budgets: Budgets = JSON.parse(readFileSync("bench/budget.json", "utf8"));
  budgets.baseline = process.env["BASELINE"] ?? budgets.baseline;
  const folder = mkdtempSync(join(tmpdir(), "guildhall-budget-"));
  const restorePriority = raisePriority();
  try {
    await requireCommit(budgets.baseline);
    const [baseline, tree] = await Promise.all([
      buildCommit(budgets.baseline, join(folder, "baseline")),
      buildTree(".", join(folder, "tree-guildhall")),
    ]);
    const results = await measure({ baseline, tree }, folder, { end, budgets });
    const size = (program: string): number => statSync(program).size / 1e6;
    results.push(single("binary size", size(baseline), size(tree)), ...suite(budgets, results));
    print(judge(results, budgets), budgets);
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  } finally {
    restorePriority();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  programs: PerSide<string>,
  folder: string,
  { end, budgets }: { end: number; budgets: Budgets },
): Promise<Result[]> {
  const { data, token } = await createBothCommunities(programs, folder);
  const turns = new Map<RowName, PerSide<number>[]>();
  const note: Note = (name, turn) => void turns.set(name, [...(turns.get(name) ?? []), turn]);
  const results = (): Result[] =>
    [...turns].map(([name, all]) => {
      const [baseline, tree] = SIDES.map((side) => all.map((turn) => turn[side]));
      if (!baseline || !tree) throw new Error("a side is missing");
      const ratio = median(all.map((turn) => turn.tree / turn.baseline));
      return { name, baseline: median(baseline), tree: median(tree), ratio };
    });
  const above = (): RequestRow[] => {
    const names = judge(results(), budgets).flatMap(({ name, isOver }) => (isOver ? [name] : []));
    return REQUEST_ROWS.filter((row) => names.includes(row));
  };
  for (let start = 0; start <= STARTS; start++) {
    // The last start measures the rows above their limit again, because few measurements can mislead on a
    // busy machine.
    const rows = start < STARTS ? REQUEST_ROWS : above();
    if (rows.length === 0) break;
    const servers: Partial<PerSide<Served>> = {};
    const startMs: PerSide<number> = { baseline: 0, tree: 0 };
    for (const side of start % 2 === 0 ? SIDES : SIDES.toReversed()) {
      const server = await begin(programs[side], copyData(data[side], join(folder, `${side}-${start}`)));
      // Read at once, because the first server uses more time while the second one starts.
      startMs[side] = cpuUs(server.pid) / 1000;
      servers[side] = server;
    }
    await using baseline = servers.baseline;
    await using tree = servers.tree;
    if (!baseline || !tree) continue;
    const both = { baseline, tree };
    note("start", startMs);
    // Only the last starts measure requests. These starts share the time that remains.
    if (start < STARTS - STARTS_MEASURED) continue;
    await Bun.sleep(IDLE_MS);
    note("memory at rest", await bySide((side) => residentMiB(both[side].pid)));
    note("bytes of the front page", await bySide((side) => pageBytes(both[side].url)));
    const share = (end - performance.now()) / (STARTS - start);
    const until = performance.now() + (start < STARTS ? share : CONFIRM_MS);
    await measureRounds(both, { token, rows, until }, note);
  }
  return results();
}

/**
 * Fills one community with the baseline's program and copies its data. This tree's program migrates the copy.
 * The token's rate limit is higher than any run needs.
 */
async function createBothCommunities(
  programs: PerSide<string>,
  folder: string,
): Promise<{ data: PerSide<string>; token: string }> {
  const demoData = join(folder, "made");
  const guildhall = (...words: string[]) =>
    run([programs.baseline, ...words, "--data", demoData], folder, PASSWORD);
  await guildhall("demo", "--posts", "20000", "--jobs", "2000");
  for (const username of MEMBERS) await guildhall("builder", "create", username, "--password-stdin");
  const token = await guildhall("token", "create", MEMBERS[0], "--tier", "enterprise");
  const data = { baseline: demoData, tree: copyData(demoData, join(folder, "migrated")) };
  await run([programs.tree, "migrate", "--data", data.tree], folder);
  await indexPosts(programs.tree, data.tree);
  // Deletes the copy that the migration made.
  for (const name of readdirSync(data.tree))
    if (name.startsWith("before-")) rmSync(join(data.tree, name), { recursive: true });
  return { data, token: token.trim() };
}

/**
 * Runs a server until it has indexed the posts of an older version for the search. Otherwise it would index
 * them while the bench measures requests.
 */
async function indexPosts(program: string, data: string): Promise<void> {
  await using _server = await begin(program, data);
  using db = new Database(join(data, "guildhall.db"), { readonly: true });
  const unindexed = db.query("SELECT 1 FROM posts WHERE place IS NULL LIMIT 1");
  while (unindexed.get()) await Bun.sleep(100);
}

async function begin(program: string, data: string): Promise<Served> {
  const env = { GUILDHALL_ORIGIN: "http://127.0.0.1" };
  return await serve(["serve", "--port", "0", "--data", data], env, ([, ...words]) => [program, ...words]);
}

async function measureRounds(
  servers: PerSide<Served>,
  { token, rows, until }: { token: string; rows: readonly RequestRow[]; until: number },
  note: Note,
): Promise<void> {
  const requests: PerSide<Requests> = await bySide((side) =>
    requestsOf(servers[side].url, { token, members: MEMBERS, password: PASSWORD }),
  );
  const turns: [RowName, PerSide<number>][] = [];
  for (let round = 0; round < ROUNDS_MIN || performance.now() < until; round++) {
    for (const name of rows) {
      const cpu = { baseline: 0, tree: 0 };
      // The order alternates, so that each side runs first as often as last.
      const order = ["baseline", "tree", "tree", "baseline"] as const;
      for (const side of round % 2 === 0 ? order : order.toReversed()) {
        const request = requests[side][name];
        const before = cpuUs(servers[side].pid);
        await burst(servers[side].url, request);
        cpu[side] += (cpuUs(servers[side].pid) - before) / (2 * request.times);
      }
      turns.push([name, cpu]);
    }
  }
  for (const [name, cpu] of turns.slice(turns.length * WARM_UP_SHARE)) note(name, cpu);
}

async function bySide<Item>(of: (side: Side) => Item | Promise<Item>): Promise<PerSide<Item>> {
  return { baseline: await of("baseline"), tree: await of("tree") };
}

/**
 * CPU time so far of all threads of a process, in µs. `/proc/PID/stat` is not used because its unit is 10 ms.
 */
function cpuUs(pid: number): number {
  let ns = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
    } catch {
      // The thread ended after it was listed.
    }
  }
  return ns / 1000;
}

/**
 * Raises the priority of this process, its process session and its child processes, where the system allows
 * it. Returns a function that restores the priority.
 */
function raisePriority(): () => void {
  const file = "/proc/self/autogroup";
  const put = (priority: number): void => {
    try {
      setPriority(priority);
      writeFileSync(file, String(priority));
    } catch {
      // Only root may change the priority, and not every kernel groups processes by session.
    }
  };
  put(-10);
  return () => put(0);
}

function single(name: RowName, baseline: number, tree: number): Result {
  return { name, baseline, tree, ratio: tree / baseline };
}

/**
 * Returns the row of the test suite, from the figures that `.ci/run` measured. Returns no row if the bench
 * was started by hand.
 */
function suite({ suite: { cpuSeconds, feedUs, tests } }: Budgets, results: readonly Result[]): Result[] {
  const { SUITE_CPU_SECONDS, SUITE_TESTS } = process.env;
  if (!SUITE_CPU_SECONDS || !SUITE_TESTS) return [];
  const slowness = (results.find(({ name }) => name === "feed")?.baseline ?? feedUs) / feedUs;
  return [
    single("suite", cpuSeconds * slowness, Number(SUITE_CPU_SECONDS)),
    single("tests", tests, Number(SUITE_TESTS)),
  ];
}

function print(verdicts: readonly Verdict[], { baseline, raised }: Budgets): void {
  row("", "unit", baseline, "this tree", "ratio", "limit", "");
  row("---", "---", "---", "---", "---", "---", "---");
  const names = Object.keys(UNITS);
  const sorted = verdicts.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  for (const { name, isOver, limit, ...result } of sorted)
    row(
      name,
      UNITS[name],
      digits(result.baseline),
      digits(result.tree),
      result.ratio.toFixed(3),
      limit.toFixed(3),
      isOver ? "**above**" : raised[name] ? "raised" : "",
    );
  const over = sorted.filter(({ isOver }) => isOver).map(({ name }) => name);
  if (over.length === 0) return;
  console.log(
    `\nAbove the budget: ${over.join(", ")}. Find the cost, or raise the row in bench/budget.json and say why.`,
  );
  process.exitCode = 1;
}

const digits = (value: number): string => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
