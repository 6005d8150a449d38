import { type Static, Type } from "@sinclair/typebox";
import { check, Text } from "../../base/check.ts";
import { createFairQueue, type FairQueue } from "../../base/fair-queue.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { CoreError, refuse } from "../../base/errors.ts";
import { lastIdAt } from "../../base/ids.ts";
import { type Caller, requireModerator } from "../../identity/access/caller.ts";
import { type BuilderRow, findBuilder, refuseAccountAction } from "../../identity/builders/builders.ts";
import { typedUsername } from "../../identity/builders/username.ts";
import { hostsNamedIn, linkHostsIn } from "../../identity/held-hosts/held-hosts.ts";
import { requireFreshSession } from "../../identity/accounts/sessions.ts";
import { type Decision, REASON_MAX } from "./acts.ts";
import { refuseManyActs } from "./act-limit.ts";
import { getDecision, removeSpammer } from "./decisions.ts";
import { isRemoved, networksOfMember } from "./removal.ts";
import { RULE_MAX, rulesOf } from "../../identity/community-settings/community-settings.ts";
import {
  type ContentCounts,
  type SpammerRow,
  selectSpammers,
  selectTexts,
  selectTextsOf,
  type Source,
} from "./spam-store.ts";

/*
 * Previews and decides the removal of spammers (docs/contract.md#12.38). `removal.ts` hides their content.
 */

/** Maximum number of members in one removal. */
export const REMOVED_MAX = 200;
/** Maximum number of hosts that a preview lists. */
const HOSTS_MAX = 100;
/** Maximum number of texts of each kind whose links a preview reads, of one spammer and of all. */
const TEXTS_OF_ONE = 500;
const TEXTS_OF_ALL = 5_000;
/** How long ago another member may have linked a host that is preselected. */
const LINKED_WITHIN_MS = 90 * DAY;
/** Number of texts that are read before other requests run, and in total. */
const SCAN_BATCH = 1_000;
const SCANNED_MAX = 250_000;

/** A member in the preview of a removal. */
export interface PreviewedMember extends Omit<SpammerRow, "id"> {
  /** Set if the caller may not remove the member. */
  refused?: CoreError;
}

export interface PreviewedHost {
  host: string;
  /** Whether no other member linked the host within 90 days. */
  isPreselected: boolean;
  otherMembers: number;
}

export interface RemovalPreview {
  members: PreviewedMember[];
  hosts: PreviewedHost[];
  /** Number of networks whose sign-ups the removal holds. */
  networks: number;
  /** Sums over the members that can be removed. */
  counts: ContentCounts & { members: number };
}

/**
 * Returns what the removal of these members would change. Lists the hosts that they linked, most linked
 * first. Preselects hosts that no other member linked within 90 days; never lists the community's own host.
 * Reads texts in batches, between which other requests run. For moderators. Rejects with forbidden, and
 * not_found for an unknown member.
 */
export async function previewRemoval(
  core: Core,
  caller: Caller,
  usernames: readonly string[],
): Promise<RemovalPreview> {
  requireModerator(caller);
  const found = findSpammers(core, usernames);
  const rows = new Map(
    selectSpammers(
      core,
      found.map(({ id }) => id),
    ).map((row) => [row.id, row]),
  );
  const members = found.flatMap((builder): (PreviewedMember & { id: string })[] => {
    const row = rows.get(builder.id);
    if (!row) return [];
    const refused = refusalOf(core, caller, builder);
    return [{ ...row, ...(refused && { refused }) }];
  });
  const removable = members.filter(({ refused }) => refused === undefined);
  const ids = removable.map(({ id }) => id);
  const networks = new Set(ids.flatMap((id) => networksOfMember(core, id)));
  const sum = (of: (member: PreviewedMember) => number) =>
    removable.reduce((total, member) => total + of(member), 0);
  return {
    members: members.map(({ id: _, ...member }) => member),
    hosts: await hostsOf(core, caller, ids),
    networks: networks.size,
    counts: {
      members: removable.length,
      posts: sum(({ posts }) => posts),
      replies: sum(({ replies }) => replies),
      jobs: sum(({ jobs }) => jobs),
      prompts: sum(({ prompts }) => prompts),
      messages: sum(({ messages }) => messages),
    },
  };
}

export const RemovalDraft = Type.Object({
  usernames: Type.Array(Type.String({ maxLength: 64 }), {
    minItems: 1,
    maxItems: REMOVED_MAX,
    description: "The usernames of the members.",
    examples: [["cy"]],
  }),
  hosts: Type.Array(Type.String({ maxLength: 253 }), {
    maxItems: HOSTS_MAX,
    description: "The hosts whose links hold posts for 30 days.",
    examples: [["spam.example"]],
  }),
  reason: Text({
    max: REASON_MAX,
    visible: true,
    description: "The reason, which the members read.",
    examples: ["Link spam."],
  }),
  rule: Type.Optional(
    Text({
      min: 0,
      max: RULE_MAX,
      line: true,
      description: "The rule of the community that the members broke.",
    }),
  ),
});
type RemovalDraft = Static<typeof RemovalDraft>;

/**
 * Removes members as spammers, all or none, with one decision each. Suspends the accounts, ends their access
 * and holds the hosts and the networks. `continueRemovals` hides the content in batches. The community's own
 * host is never held. For moderators with a recent sign-in, on members with a lower role, and the operator.
 * Throws forbidden, not_found, unprocessable. Throws conflict for the caller's own account.
 */
export function removeSpammers(core: Core, caller: Caller, draft: RemovalDraft): Decision[] {
  requireModerator(caller);
  requireFreshSession(core, caller);
  const { usernames, hosts, reason, rule = "" } = check(RemovalDraft, draft);
  if (rule !== "" && !rulesOf(core).includes(rule)) throw refuse("rule_unknown");
  const held = linkHostsIn(
    core,
    [],
    hosts.map((host) => `https://${host}/`),
  );
  return core.db.transact(() =>
    findSpammers(core, usernames).flatMap((builder) => {
      const refused = refusalOf(core, caller, builder);
      if (refused) throw refused;
      const { id: builderId } = builder;
      // A member who is already removed stays so.
      if (isRemoved(core, builderId)) return [];
      refuseManyActs(core, caller);
      const decisionId = removeSpammer(core, caller, {
        subjectId: builderId,
        builderId,
        reason: reason.trim(),
        rule,
        hosts: held,
      });
      return [getDecision(core, caller, decisionId)];
    }),
  );
}

/**
 * Returns the accounts of these usernames without duplicates. Throws not_found, unprocessable for too many.
 */
function findSpammers(core: Core, usernames: readonly string[]): BuilderRow[] {
  if (usernames.length > REMOVED_MAX) throw refuse("removal_too_large", { max: REMOVED_MAX });
  const found = usernames.map((name) => {
    const builder = findBuilder(core, typedUsername(name));
    if (!builder) throw refuse("builder_unknown");
    return builder;
  });
  return [...new Map(found.map((builder) => [builder.id, builder])).values()];
}

/** Returns why the caller may not remove the member; undefined if the caller may. */
function refusalOf(core: Core, caller: Caller, builder: BuilderRow): CoreError | undefined {
  if (builder.id === caller.builderId) return refuse("own_suspension");
  try {
    refuseAccountAction(core, caller, "suspend", builder);
    return undefined;
  } catch (error) {
    if (error instanceof CoreError) return error;
    throw error;
  }
}

async function hostsOf(core: Core, caller: Caller, ids: readonly string[]): Promise<PreviewedHost[]> {
  const enqueue = core.memory(newScanQueue);
  const owner = caller.builderId ?? "";
  const links = new Map<string, number>();
  const perMember = Math.max(1, Math.min(TEXTS_OF_ONE, Math.floor(TEXTS_OF_ALL / Math.max(1, ids.length))));
  for (const id of ids)
    await enqueue(owner, () => {
      for (const text of selectTextsOf(core, id, perMember))
        for (const host of linkHostsIn(core, [text])) links.set(host, (links.get(host) ?? 0) + 1);
    });
  const hosts = [...links].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, HOSTS_MAX);
  const others = new Map(hosts.map(([host]) => [host, new Set<string>()]));
  const isComplete = hosts.length === 0 || (await scan(core, owner, new Set(ids), others));
  return hosts.map(([host]) => {
    const otherMembers = others.get(host)?.size ?? 0;
    return { host, isPreselected: isComplete && otherMembers === 0, otherMembers };
  });
}

const newScanQueue = (): FairQueue => createFairQueue();

/**
 * Adds to `others` the members who linked each host, except `spammers`. Reads the posts of 90 days, and all
 * other texts. Returns false if there are too many texts to read.
 */
async function scan(
  core: Core,
  owner: string,
  spammers: ReadonlySet<string>,
  others: ReadonlyMap<string, Set<string>>,
): Promise<boolean> {
  const enqueue = core.memory(newScanQueue);
  const since = lastIdAt("post", Math.max(0, core.clock.now() - LINKED_WITHIN_MS));
  let scanned = 0;
  for (const source of ["posts", "prompts", "jobs", "builders", "projects"] as const satisfies Source[]) {
    let after: string | undefined = source === "posts" ? since : "";
    while (after !== undefined) {
      const from: string = after;
      after = await enqueue(owner, () => {
        const rows = selectTexts(core, source, from, SCAN_BATCH);
        for (const { authorId, text } of rows)
          if (!spammers.has(authorId)) for (const host of hostsNamedIn(text)) others.get(host)?.add(authorId);
        scanned += rows.length;
        return rows.length === SCAN_BATCH ? rows.at(-1)?.id : undefined;
      });
      if (scanned > SCANNED_MAX) return false;
    }
  }
  return true;
}
