/**
 * `bun run lines`: how many lines of src people write, by kind and by room, and how many of them are code.
 * With `--against COMMIT` what changed since; without it, since the commit on which the house was last
 * measured, where the history holds that.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const ROOT = join(import.meta.dir, "..");
const MEASURED_FROM = "b42df05";
export const KINDS = ["ts", "tsx", "css", "sql", "js"] as const;

/** What nobody writes by hand, or is a list and no program: counted apart. */
const APART: readonly [name: string, pattern: RegExp][] = [
  [
    "generated",
    /\/(?:schema\.graphql|db\/migrations\.ts|operations\/index\.ts|schema\/types\.ts|pages\/index\.ts)$/,
  ],
  ["catalogues", /\/refusals\/(?!refusals\.|sentence\.)[^/]+\.ts$/],
];

export interface Count {
  lines: number;
  /** Without blank lines and those that hold comments alone. */
  code: number;
}
export type Tally = Map<string, Count>;

/** Texts of src by path, as `src/core/core.ts`. */
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
 * Where a file is counted: by «all» and its kind, and by its room; or apart. Nowhere where it is no text of
 * ours.
 */
export function placesOf(path: string): string[] {
  const apart = APART.find(([, pattern]) => pattern.test(path));
  if (apart) return [`apart: ${apart[0]}`];
  const kind = KINDS.find((known) => path.endsWith(`.${known}`));
  const [, room = "", inner] = path.split("/");
  return kind ? ["all", `.${kind}`, inner === undefined ? "src/*" : `src/${room}`] : [];
}

export function tally(texts: Texts): Tally {
  const found: Tally = new Map();
  for (const [path, text] of texts) {
    const count = countLines(text);
    for (const place of placesOf(path)) {
      const sum = found.get(place) ?? { lines: 0, code: 0 };
      found.set(place, { lines: sum.lines + count.lines, code: sum.code + count.code });
    }
  }
  return found;
}

/** One row a place; with `before`, also how many lines more (or fewer) there are now. */
export function report(now: Tally, before?: Tally): string {
  const places = [...new Set([...now.keys(), ...(before?.keys() ?? [])])].sort(
    (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1),
  );
  const none: Count = { lines: 0, code: 0 };
  const rows = places.map((place) => {
    const here = now.get(place) ?? none;
    const there = before?.get(place) ?? none;
    const change = before ? [signed(here.lines - there.lines), signed(here.code - there.code)] : [];
    return [place, String(here.lines), String(here.code), ...change];
  });
  const head = ["src", "lines", "code", ...(before ? ["± lines", "± code"] : [])];
  return [head, ...rows]
    .map(
      ([place = "", ...figures]) => place.padEnd(20) + figures.map((figure) => figure.padStart(10)).join(""),
    )
    .join("\n");
}

function rank(place: string): number {
  return ["all", "."].findIndex((start) => place.startsWith(start)) + 1 || (place.startsWith("src") ? 3 : 4);
}

function signed(figure: number): string {
  return figure > 0 ? `+${figure}` : String(figure);
}

function git(root: string, ...words: string[]): string | undefined {
  const done = Bun.spawnSync(["git", "-C", root, ...words], { stderr: "ignore" });
  return done.success ? done.stdout.toString() : undefined;
}

/** What lies in the working tree, files that are not yet added included. */
export function* textsOfTree(root: string): Texts {
  const listed = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "src") ?? "";
  for (const path of new Set(listed.split("\0"))) {
    const file = join(root, path);
    // A file that is deleted and not yet committed is still listed.
    if (placesOf(path).length > 0 && existsSync(file)) yield [path, readFileSync(file, "utf8")];
  }
}

/** What a commit holds; undefined where the history does not hold the commit. */
export function textsOfCommit(root: string, commit: string): Texts | undefined {
  const listed = git(root, "ls-tree", "-r", "-z", "--name-only", commit, "src");
  return listed
    ?.split("\0")
    .filter((path) => placesOf(path).length > 0)
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
