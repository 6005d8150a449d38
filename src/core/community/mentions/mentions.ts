import type { Core } from "../../base/core.ts";
import { namesIn } from "../../base/markdown.ts";
import { type NameOf, namesInSample } from "../../base/names.ts";
import { handleOf } from "../../identity/builders/builders.ts";
import { notify, withdrawNotification } from "../../identity/notifications/notify.ts";
import type { NotificationSubject } from "../../identity/notifications/kinds.ts";
import {
  deleteMention,
  insertMention,
  type MentionRow,
  selectMentions,
  selectNamed,
  selectUsernames,
} from "./mentions-store.ts";

/** So many people are named in one text; whoever comes behind them is text, and told nothing. */
export const MENTIONS_MAX = 20;
/** So many words behind an @ are looked up: most are nobody. */
const LOOKED_UP_MAX = 100;

/** A text that was created or changed. */
export interface MentioningText {
  id: string;
  text: string;
  /** Whether it is shown as it stands: a prompt. Everything else is Markdown. */
  isSample?: boolean;
  /** Who wrote it. */
  by: string;
  /** What whoever is named is told of. */
  subject: NotificationSubject;
  /** Who is told nothing: left out, nobody. */
  isLeftOut?: ((builderId: string) => boolean) | undefined;
}

/**
 * Keeps who is named in a text, and tells them of it: the first twenty who are there (docs/contract.md#4.16).
 * After a change those who were named before are not told again, and of those who are not any more it is
 * taken back. Asks no right. Call it in the transaction in which it is written.
 */
export function storeMentions(core: Core, written: MentioningText): void {
  const { id, by, subject, isLeftOut } = written;
  const before = selectMentions(core, id);
  const after = namedIn(core, written, before);
  for (const { name } of without(before, after)) deleteMention(core, id, name);
  for (const row of without(after, before)) insertMention(core, id, row);
  const [were, are] = [before, after].map((rows) => new Set(rows.map(({ builderId }) => builderId)));
  for (const to of are ?? [])
    if (!were?.has(to) && isLeftOut?.(to) !== true) notify(core, { to, kind: "mention", by, subject });
  for (const to of were ?? [])
    if (!are?.has(to)) withdrawNotification(core, { kind: "mention", subject, to });
}

/** Whom the names of many texts mean: one look for a page, and none where nothing is written behind an @. */
export function namesOf(
  core: Core,
  texts: readonly { id: string; text: string }[],
): (id: string) => NameOf | undefined {
  const ids = texts.filter(({ text }) => text.includes("@")).map(({ id }) => id);
  const found = ids.length === 0 ? undefined : mentionsOf(core, ids);
  return (id) => {
    const names = found?.get(id);
    return names && ((written) => names.get(written));
  };
}

/** The members that the names of a text refer to, before it is saved. */
export function previewNames(core: Core, text: string, isSample: boolean): NameOf {
  const rows = namedIn(core, { text, isSample }, []);
  const names = new Map(rows.map(({ name }) => [name, handleOf(core, name)]));
  return (written) => names.get(written);
}

/** By the id of what they are named in: what is written, and the username of now. Asks no right. */
export function mentionsOf(
  core: Core,
  ids: readonly string[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const all = new Map<string, Map<string, string>>();
  for (const { subjectId, name, username } of selectUsernames(core, ids)) {
    const names = all.get(subjectId) ?? new Map<string, string>();
    all.set(subjectId, names.set(name, username));
  }
  return all;
}

/** A name stays whose it was when it was written. */
function namedIn(
  core: Core,
  { text, isSample }: Pick<MentioningText, "text" | "isSample">,
  before: readonly MentionRow[],
): MentionRow[] {
  const names = (isSample ? namesInSample : namesIn)(text, LOOKED_UP_MAX);
  if (names.length === 0) return [];
  const known = new Map(before.map((row) => [row.name, row]));
  const found = new Map(selectNamed(core, names).map((row) => [row.name, row]));
  return names.flatMap((name) => known.get(name) ?? found.get(name) ?? []).slice(0, MENTIONS_MAX);
}

function without(rows: readonly MentionRow[], others: readonly MentionRow[]): MentionRow[] {
  return rows.filter(({ name }) => !others.some((other) => other.name === name));
}
