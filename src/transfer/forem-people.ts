import { readFileSync } from "node:fs";
import { countWithNoun } from "../core/base/count-with-noun.ts";
import { foldUsername } from "../core/identity/builders/username.ts";
import type { ForemSource } from "./forem.ts";
import type { ImportTarget } from "./forem-target.ts";
import { type ForemPerson, isFields, isLeftOut } from "./forem-shape.ts";
import { TransferRefused, reason } from "./transfer-refused.ts";

/** Account names in this community, by lower-case Forem username. */
export type AccountNames = ReadonlyMap<string, string>;

/**
 * Reads the operator's table. Accepts CSV (`forem-username,guildhall-username` per line, comments after `#`)
 * or a JSON object. Throws TransferRefused with the wrong lines.
 */
export function readAccountNames(path: string): AccountNames {
  const text = textOf(path);
  const rows = text.trimStart().startsWith("{") ? jsonRows(text, path) : csvRows(text, path);
  const people = new Map<string, string>();
  for (const [foremName, accountName] of rows) {
    const key = foldUsername(foremName);
    if (people.has(key)) throw new TransferRefused(`${path} names ${foremName} twice`);
    people.set(key, foldUsername(accountName));
  }
  return people;
}

/**
 * Refuses rows whose account is neither a member nor an allowed new username. Also refuses people who share a
 * username with a member and are not in the table. Reads the whole source and writes nothing. Throws
 * TransferRefused with one line per refused row or person.
 */
export async function refuseUnmatched(
  target: ImportTarget,
  source: ForemSource,
  people: AccountNames,
): Promise<void> {
  refuseWrongRows(target, people);
  if (!target.hasOtherMembers()) return;
  const found = new Map<string, string>();
  for await (const { username } of newAuthorsIn(target, source.ahead())) {
    const accountName = people.has(foldUsername(username)) ? undefined : target.memberWithSameName(username);
    if (accountName !== undefined) found.set(username, accountName);
  }
  if (found.size === 0) return;
  const lines = [...found].map(
    ([foremName, accountName]) =>
      `  ${foremName},${accountName}  # or ${foremName},${target.usernameFor(foremName)} for a new account`,
  );
  throw new TransferRefused(
    [
      `${countWithNoun(found.size, "username")} of ${source.host} ${found.size === 1 ? "belongs" : "belong"} to a member here, so nothing was written. Say who they are in a file with lines like these, then run the command again with --people FILE:`,
      ...lines,
    ].join("\n"),
  );
}

function refuseWrongRows(target: ImportTarget, people: AccountNames): void {
  const wrong = [...people].flatMap(([foremName, accountName]) => {
    const before = target.find("person", foremName);
    if (before)
      return before.username === accountName
        ? []
        : [`  ${foremName} is already @${before.username ?? "nobody"} here`];
    return target.member(accountName) || target.isFree(accountName)
      ? []
      : [
          `  ${foremName},${accountName}: there is no member @${accountName}, and the name is not allowed for a new account`,
        ];
  });
  if (wrong.length > 0)
    throw new TransferRefused(["The --people file has errors, so nothing was written:", ...wrong].join("\n"));
}

/** Yields the authors who are not imported yet, of all articles and comments that are not imported yet. */
async function* newAuthorsIn(
  target: ImportTarget,
  { articles, comments, orphanComments }: ReturnType<ForemSource["ahead"]>,
): AsyncGenerator<ForemPerson> {
  const isNewAuthor = (person: ForemPerson | undefined): person is ForemPerson =>
    person !== undefined && target.find("person", foldUsername(person.username)) === undefined;
  for await (const article of articles) {
    if (isLeftOut(article)) continue;
    const before = target.find("article", article.id);
    if (!before && isNewAuthor(article.author)) yield article.author;
    if (before?.comments === article.comments) continue;
    for await (const comment of comments(article))
      if (!isLeftOut(comment) && isNewAuthor(comment.author)) yield comment.author;
  }
  for (const comment of orphanComments)
    if (!isLeftOut(comment) && isNewAuthor(comment.author)) yield comment.author;
}

function textOf(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    throw new TransferRefused(`${path} cannot be read (${reason(error)}).`);
  }
}

function jsonRows(text: string, path: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TransferRefused(`${path} is not valid JSON.`);
  }
  const rows = isFields(value) ? Object.entries(value) : [];
  return rows.map(([foremName, accountName]) => {
    if (typeof accountName !== "string" || accountName === "")
      throw new TransferRefused(
        `${path} has no username for ${foremName}. Write {"${foremName}": "USERNAME"}.`,
      );
    return [foremName, accountName];
  });
}

const HEADER = "forem-username,guildhall-username";

function csvRows(text: string, path: string): [string, string][] {
  return text.split(/\r?\n/).flatMap((line, at): [string, string][] => {
    const row = line.replace(/#.*/, "").trim();
    if (row === "" || row === HEADER) return [];
    const [foremName = "", accountName = "", ...more] = row
      .split(",")
      .map((cell) => cell.trim().replace(/^@/, ""));
    if (foremName === "" || accountName === "" || more.length > 0)
      throw new TransferRefused(`Line ${at + 1} of ${path} is not ${HEADER}.`);
    return [[foremName, accountName]];
  });
}
