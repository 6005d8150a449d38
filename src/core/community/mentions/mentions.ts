import type { Core } from "../../base/core.ts";
import { namesIn } from "../../base/markdown.ts";
import { type NameOf, namesInPlainText } from "../../base/names.ts";
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

/** Maximum number of mentions in one text. Further mentions are plain text and notify nobody. */
export const MENTIONS_MAX = 20;
/**
 * Maximum number of @-words of a text that are looked up. The limit is above `MENTIONS_MAX`, because many
 * @-words are not usernames.
 */
const LOOKUPS_MAX = 100;

/** A created or changed text that may mention builders. */
export interface MentioningText {
  id: string;
  text: string;
  /** Whether the text is a prompt, which is shown verbatim. Any other text is Markdown. */
  isPlainText?: boolean;
  /** Id of the author. */
  by: string;
  /** Subject of the notification to the mentioned builders. */
  subject: NotificationSubject;
  /**
   * Returns true for a mentioned builder who must not be notified. If the function is omitted, every
   * mentioned builder is notified.
   */
  isExcluded?: ((builderId: string) => boolean) | undefined;
}

/**
 * Stores the mentions of a text and notifies the first 20 mentioned builders (docs/contract.md#4.16). After
 * an edit, builders who were mentioned before are not notified again. Notifications of builders who are no
 * longer mentioned are withdrawn. The calling operation must check permissions. Call it in the transaction
 * that writes the text.
 */
export function storeMentions(core: Core, written: MentioningText): void {
  const { id, by, subject, isExcluded } = written;
  const before = selectMentions(core, id);
  const after = namedIn(core, written, before);
  for (const { name } of without(before, after)) deleteMention(core, id, name);
  for (const row of without(after, before)) insertMention(core, id, row);
  const [were, are] = [before, after].map((rows) => new Set(rows.map(({ builderId }) => builderId)));
  for (const to of are ?? [])
    if (!were?.has(to) && isExcluded?.(to) !== true) notify(core, { to, kind: "mention", by, subject });
  for (const to of were ?? [])
    if (!are?.has(to)) withdrawNotification(core, { kind: "mention", subject, to });
}

/**
 * Notifies the builders whom a stored text mentions, because the text is visible from now on. Leaves out the
 * builders in `known`, who were notified before the text was held. Call it in the approval's transaction.
 */
export function notifyMentioned(
  core: Core,
  { id, by, subject, isExcluded }: MentioningText,
  known: readonly string[],
): void {
  for (const to of new Set(selectMentions(core, id).map(({ builderId }) => builderId)))
    if (!known.includes(to) && isExcluded?.(to) !== true) notify(core, { to, kind: "mention", by, subject });
}

/** Returns the builders whom a stored text mentions. */
export function mentionedIn(core: Core, id: string): string[] {
  return [...new Set(selectMentions(core, id).map(({ builderId }) => builderId))];
}

/**
 * Returns the current usernames for the mentions of many texts. Uses one query, or none if no text contains
 * an @.
 */
export function namesOf(
  core: Core,
  texts: readonly { id: string; text: string }[],
): (id: string) => NameOf | undefined {
  const found = usernamesIn(core, texts);
  return (id) => nameOfAmong(found.get(id));
}

/** Same as `namesOf`, as maps from the name as written to the current username. */
export function usernamesIn(
  core: Core,
  texts: readonly { id: string; text: string }[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const ids = texts.filter(({ text }) => text.includes("@")).map(({ id }) => id);
  return ids.length === 0 ? new Map() : mentionsOf(core, ids);
}

export function nameOfAmong(names: ReadonlyMap<string, string> | undefined): NameOf | undefined {
  return names && ((written) => names.get(written));
}

/** Returns the current usernames for the mentions of a text that is not saved yet. */
export function previewNames(core: Core, text: string, isPlainText: boolean): NameOf {
  const rows = namedIn(core, { text, isPlainText }, []);
  const names = new Map(rows.map(({ name }) => [name, handleOf(core, name)]));
  return (written) => names.get(written);
}

/**
 * Returns, by text id, a map from each mentioned name as written to the builder's current username. The
 * calling operation must check permissions.
 */
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

/**
 * Returns the mentions of a text. If the text already mentioned a name before an edit (`before`), the name
 * keeps meaning the same builder.
 */
function namedIn(
  core: Core,
  { text, isPlainText }: Pick<MentioningText, "text" | "isPlainText">,
  before: readonly MentionRow[],
): MentionRow[] {
  const names = (isPlainText ? namesInPlainText : namesIn)(text, LOOKUPS_MAX);
  if (names.length === 0) return [];
  const known = new Map(before.map((row) => [row.name, row]));
  const found = new Map(selectNamed(core, names).map((row) => [row.name, row]));
  return names.flatMap((name) => known.get(name) ?? found.get(name) ?? []).slice(0, MENTIONS_MAX);
}

function without(rows: readonly MentionRow[], others: readonly MentionRow[]): MentionRow[] {
  return rows.filter(({ name }) => !others.some((other) => other.name === name));
}
