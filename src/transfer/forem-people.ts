import { readFileSync } from "node:fs";
import { countWithNoun } from "../core/base/count-with-noun.ts";
import { foldUsername } from "../core/identity/builders/username.ts";
import type { ForemSource } from "./forem.ts";
import type { ImportTarget } from "./forem-target.ts";
import { type ForemPerson, isFields, isLeftOut } from "./forem-shape.ts";
import { PortableRefused, reason } from "./transfer-refused.ts";

/** Account names in this community, by lower-case Forem username. */
export type People = ReadonlyMap<string, string>;

/**
 * Reads the operator's table. Accepts CSV (`forem-username,guildhall-username` per line, comments after `#`)
 * or a JSON object. Throws PortableRefused with the wrong lines.
 */
export function readPeople(path: string): People {
  const text = textOf(path);
  const rows = text.trimStart().startsWith("{") ? jsonRows(text, path) : csvRows(text, path);
  const people = new Map<string, string>();
  for (const [there, here] of rows) {
    const key = foldUsername(there);
    if (people.has(key)) throw new PortableRefused(`${path} names ${there} twice`);
    people.set(key, foldUsername(here));
  }
  return people;
}

/**
 * Refuses rows whose account is neither a member nor an allowed new username. Also refuses people who share a
 * username with a member and are not in the table. Reads the whole source and writes nothing. Throws
 * PortableRefused with one line per refused row or person.
 */
export async function refuseUnmatched(
  ours: ImportTarget,
  source: ForemSource,
  people: People,
): Promise<void> {
  refuseWrongRows(ours, people);
  if (!ours.hasOthers()) return;
  const found = new Map<string, string>();
  for await (const { username } of strangersIn(ours, source.ahead())) {
    const here = people.has(foldUsername(username)) ? undefined : ours.namesake(username);
    if (here !== undefined) found.set(username, here);
  }
  if (found.size === 0) return;
  const lines = [...found].map(
    ([there, here]) => `  ${there},${here}  # or ${there},${ours.usernameFor(there)} for a new account`,
  );
  throw new PortableRefused(
    [
      `${countWithNoun(found.size, "username")} of ${source.host} ${found.size === 1 ? "belongs" : "belong"} to a member here, so nothing was written. Say who they are in a file with lines like these, then run the command again with --people FILE:`,
      ...lines,
    ].join("\n"),
  );
}

function refuseWrongRows(ours: ImportTarget, people: People): void {
  const wrong = [...people].flatMap(([there, here]) => {
    const before = ours.find("person", there);
    if (before)
      return before.username === here ? [] : [`  ${there} is already @${before.username ?? "nobody"} here`];
    return ours.member(here) || ours.isFree(here)
      ? []
      : [`  ${there},${here}: there is no member @${here}, and the name is not allowed for a new account`];
  });
  if (wrong.length > 0)
    throw new PortableRefused(["The --people file has errors, so nothing was written:", ...wrong].join("\n"));
}

/** Yields the authors who are not imported yet, of all articles and comments that are not imported yet. */
async function* strangersIn(
  ours: ImportTarget,
  { articles, comments, loose }: ReturnType<ForemSource["ahead"]>,
): AsyncGenerator<ForemPerson> {
  const isStranger = (person: ForemPerson | undefined): person is ForemPerson =>
    person !== undefined && ours.find("person", foldUsername(person.username)) === undefined;
  for await (const article of articles) {
    if (isLeftOut(article)) continue;
    const before = ours.find("article", article.id);
    if (!before && isStranger(article.author)) yield article.author;
    if (before?.comments === article.comments) continue;
    for await (const comment of comments(article))
      if (!isLeftOut(comment) && isStranger(comment.author)) yield comment.author;
  }
  for (const comment of loose) if (!isLeftOut(comment) && isStranger(comment.author)) yield comment.author;
}

function textOf(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    throw new PortableRefused(`${path} cannot be read (${reason(error)}).`);
  }
}

function jsonRows(text: string, path: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PortableRefused(`${path} is not valid JSON.`);
  }
  const rows = isFields(value) ? Object.entries(value) : [];
  return rows.map(([there, here]) => {
    if (typeof here !== "string" || here === "")
      throw new PortableRefused(`${path} has no username for ${there}. Write {"${there}": "USERNAME"}.`);
    return [there, here];
  });
}

const HEADER = "forem-username,guildhall-username";

function csvRows(text: string, path: string): [string, string][] {
  return text.split(/\r?\n/).flatMap((line, at): [string, string][] => {
    const said = line.replace(/#.*/, "").trim();
    if (said === "" || said === HEADER) return [];
    const [there = "", here = "", ...more] = said.split(",").map((cell) => cell.trim().replace(/^@/, ""));
    if (there === "" || here === "" || more.length > 0)
      throw new PortableRefused(`Line ${at + 1} of ${path} is not ${HEADER}.`);
    return [[there, here]];
  });
}
