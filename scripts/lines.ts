/**
 * `bun run lines` counts the hand-written lines of src, and how many of them are code, by kind and by module.
 * `--against COMMIT` adds the change since that commit. The default commit is MEASURED_FROM, if the history
 * has it.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const ROOT = join(import.meta.dir, "..");
const MEASURED_FROM = "b42df05";
export const KINDS = ["ts", "tsx", "css", "sql", "js"] as const;

/** Generated files and files that are only lists. They are counted separately. */
const APART: readonly [name: string, pattern: RegExp][] = [
  [
    "generated",
    /\/(?:schema\.graphql|db\/migrations\.ts|operations\/index\.ts|schema\/types\.ts|pages\/index\.ts)$/,
  ],
  ["catalogues", /\/refusals\/(?!refusals\.|sentence\.)[^/]+\.ts$/],
];

export interface Count {
  lines: number;
  /** Lines that are neither blank nor only a comment. */
  code: number;
}
export type Tally = Map<string, Count>;

/** Texts of src by path, such as `src/core/core.ts`. */
type Texts = Iterable<readonly [path: string, text: string]>;

export function countLines(text: string): Count {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  let inComment = false;
  const code = lines.filter((line) => {
    const trimmed = line.trim();
    const opens = inComment || /^\{?\/\*/.test(trimmed);
    inComment = opens && !trimmed.includes("*/");
    return trimmed !== "" && !opens && !trimmed.startsWith("//") && !trimmed.startsWith("-- ");
  });
  return { lines: lines.length, code: code.length };
}

/**
 * Returns the rows that count a file: “all”, its kind and its module, or a separate row. Returns an empty
 * list for other files.
 */
export function groupsOf(path: string): string[] {
  const apart = APART.find(([, pattern]) => pattern.test(path));
  if (apart) return [`apart: ${apart[0]}`];
  const kind = KINDS.find((known) => path.endsWith(`.${known}`));
  const [, moduleName = "", inner] = path.split("/");
  return kind ? ["all", `.${kind}`, inner === undefined ? "src/*" : `src/${moduleName}`] : [];
}

export function tally(texts: Texts): Tally {
  const found: Tally = new Map();
  for (const [path, text] of texts) {
    const count = countLines(text);
    for (const group of groupsOf(path)) {
      const sum = found.get(group) ?? { lines: 0, code: 0 };
      found.set(group, { lines: sum.lines + count.lines, code: sum.code + count.code });
    }
  }
  return found;
}

/** Formats one row per group. With `before`, adds the change. */
export function report(now: Tally, before?: Tally): string {
  const groups = [...new Set([...now.keys(), ...(before?.keys() ?? [])])].sort(
    (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1),
  );
  const none: Count = { lines: 0, code: 0 };
  const rows = groups.map((group) => {
    const here = now.get(group) ?? none;
    const there = before?.get(group) ?? none;
    const change = before ? [signed(here.lines - there.lines), signed(here.code - there.code)] : [];
    return [group, String(here.lines), String(here.code), ...change];
  });
  const head = ["src", "lines", "code", ...(before ? ["± lines", "± code"] : [])];
  return [head, ...rows]
    .map(
      ([group = "", ...figures]) => group.padEnd(20) + figures.map((figure) => figure.padStart(10)).join(""),
    )
    .join("\n");
}

function rank(group: string): number {
  return ["all", "."].findIndex((start) => group.startsWith(start)) + 1 || (group.startsWith("src") ? 3 : 4);
}

function signed(figure: number): string {
  return figure > 0 ? `+${figure}` : String(figure);
}

function git(root: string, ...words: string[]): string | undefined {
  const done = Bun.spawnSync(["git", "-C", root, ...words], { stderr: "ignore" });
  return done.success ? done.stdout.toString() : undefined;
}

/** Yields the files of the working tree, including those that are not added to git. */
export function* textsOfTree(root: string): Texts {
  const listed = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "src") ?? "";
  for (const path of new Set(listed.split("\0"))) {
    const file = join(root, path);
    // Git still lists a file whose deletion is not committed.
    if (groupsOf(path).length > 0 && existsSync(file)) yield [path, readFileSync(file, "utf8")];
  }
}

/** Returns the files of a commit, or undefined if the history does not have the commit. */
export function textsOfCommit(root: string, commit: string): Texts | undefined {
  const listed = git(root, "ls-tree", "-r", "-z", "--name-only", commit, "src");
  return listed
    ?.split("\0")
    .filter((path) => groupsOf(path).length > 0)
    .map((path) => [path, git(root, "show", `${commit}:${path}`) ?? ""] as const);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { against: { type: "string" } } });
  const commit = values.against ?? MEASURED_FROM;
  const before = textsOfCommit(ROOT, commit);
  if (!before && values.against !== undefined) {
    console.error(`The history holds no commit ${commit}.`);
    process.exit(2);
  }
  console.log(report(tally(textsOfTree(ROOT)), before && tally(before)));
  if (before)
    console.log(
      `± against ${commit}; apart: what is generated, and catalogues (scripts/lines.ts says which)`,
    );
}
