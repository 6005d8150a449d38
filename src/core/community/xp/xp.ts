import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { Id, DisplayText, Timestamp } from "../../base/view.ts";
import { markActive } from "./streaks.ts";
import { append, awardXp } from "./award.ts";
import { type RuleName, RULES, ruleOf } from "./rules.ts";
import type { EntryReason } from "./ledger.ts";
import {
  type XpLedgerRow,
  type ListedEntry,
  selectAwardEntries,
  selectEntries,
  selectEntriesById,
  selectSubject,
} from "./xp-store.ts";

export const XpEntryView = Type.Object(
  {
    id: Id("xp_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the entry."),
    reason: DisplayText("The rule that awarded the points, as a code.", "post.published"),
    words: DisplayText("The rule in words.", "Published a post"),
    subjectId: DisplayText(
      "The subject of the entry: the identifier of a post, prompt, or job. For daily points, the date. For a badge from the community, the slug of the badge.",
      "post_01kafzq8e5f2r8v0j3n6s1t4wx",
    ),
    points: Type.Integer({
      description: "The number of points. Negative if points are withdrawn.",
      examples: [10],
    }),
    createdAt: Timestamp({ description: "The time of the entry." }),
  },
  { $id: "XpEntry" },
);

export interface XpEntry extends Static<typeof XpEntryView> {
  /** Sequence number of the entry. All builders' ledgers share one sequence. */
  seq: number;
  cause: EntryReason;
}

/**
 * Awards a builder the points of a rule for one subject and returns the points. Call it in the transaction of
 * the action, so that either both the action and the points are stored or neither. Returns 0 if the award is
 * already active, the daily cap is reached, the giver is the builder, or `TIMES_MAX` is reached. `giverId` is
 * the builder who acted, for rules that only others can award (likes, ratings). A builder's own action also
 * counts for the streak. Reaching a level for the first time records `xp.level_up`.
 */
export function award(
  core: Core,
  builderId: string,
  rule: RuleName,
  subjectId: string,
  giverId: string = "",
): number {
  const points = awardXp(core, { builderId, rule, subjectId, giverId });
  if (ruleOf(rule).isActivity) markActive(core, builderId);
  return points;
}

/**
 * Withdraws the points that `award` gave for the same arguments, for example after an unlike. Returns the
 * withdrawn points, or 0. Call it in the transaction of the action.
 */
export function withdrawXp(
  core: Core,
  builderId: string,
  rule: RuleName,
  subjectId: string,
  giverId: string = "",
): number {
  const last = selectAwardEntries(core, { builderId, rule, subjectId, giverId }).at(-1);
  return last === undefined ? 0 : reverseEntry(core, last, "undone");
}

/**
 * Withdraws all points awarded for a subject, from every builder. `undone` is permanent, for deleted
 * subjects. `hidden` is for moderation, and `restoreSubject` reverses it. Call it in the transaction of the
 * action.
 */
export function withdrawSubject(core: Core, subjectId: string, cause: "undone" | "hidden"): void {
  for (const last of lastOfEachAward(core, subjectId)) reverseEntry(core, last, cause);
}

/**
 * Restores the points that were withdrawn when the subject was hidden. Points that have been undone since are
 * not restored. Call it in the transaction of the action.
 */
export function restoreSubject(core: Core, subjectId: string): void {
  for (const last of lastOfEachAward(core, subjectId)) {
    if (last.cause === "hidden") append(core, { ...last, cause: "restored", points: -last.points });
  }
}

/**
 * Returns the caller's own ledger, newest first. Needs `profile:read`. Throws bad_request for a cursor of
 * another list.
 */
export function listXp(core: Core, caller: Caller, request: PageRequest): Page<XpEntry> {
  const { builderId } = requireBuilder(caller, "profile:read");
  const scope = { list: "xp", filters: { builderId } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [number] => parts.length === 1 && Number.isSafeInteger(parts[0]),
  );
  const entries = selectEntries(core, builderId, request, key?.[0]).map(toXpEntry);
  return pageOf(entries, request, scope, ({ seq }) => [seq]);
}

/** Returns entries of the caller's own ledger by id. Leaves out all other ids. Needs `profile:read`. */
export function getXpEntries(core: Core, caller: Caller, ids: readonly string[]): XpEntry[] {
  const { builderId } = requireBuilder(caller, "profile:read");
  return selectEntriesById(core, builderId, ids).map(toXpEntry);
}

function lastOfEachAward(core: Core, subjectId: string): XpLedgerRow[] {
  const last = new Map<string, XpLedgerRow>();
  for (const entry of selectSubject(core, subjectId))
    last.set(`${entry.builderId} ${entry.rule} ${entry.giverId}`, entry);
  return [...last.values()];
}

function reverseEntry(core: Core, last: XpLedgerRow, cause: "undone" | "hidden"): number {
  if (last.cause === "earned" || last.cause === "restored") {
    append(core, { ...last, cause, points: -last.points });
    return last.points;
  }
  // The subject was hidden, so its points are already withdrawn. An entry with 0 points prevents a later
  // restore of these points.
  if (last.cause === "hidden" && cause === "undone") append(core, { ...last, cause, points: 0 });
  return 0;
}

const CAUSE_PREFIXES = {
  earned: "",
  undone: "Undone: ",
  hidden: "Hidden by a moderator: ",
  restored: "Restored: ",
};

function toXpEntry({ rule, ...entry }: ListedEntry): XpEntry {
  // A rule that no longer exists is shown by its name.
  const words = Object.hasOwn(RULES, rule) ? ruleOf(rule).label : rule;
  return { ...entry, reason: rule, words: CAUSE_PREFIXES[entry.cause] + words };
}
