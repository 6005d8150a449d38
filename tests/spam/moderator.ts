import type { Core } from "../../src/core/base/core.ts";
import type { BuilderCaller, Caller } from "../../src/core/identity/access/caller.ts";
import { continueBatches } from "../../src/core/services/batches/batches.ts";
import { type ListedCase, listCases } from "../../src/core/services/moderation/cases.ts";
import { decideMany } from "../../src/core/services/moderation/decisions.ts";
import { previewRemoval, removeSpammers } from "../../src/core/services/moderation/spam.ts";
import { signedInNow } from "../support.ts";

/** Counts of the moderator's acts. Each preview, removal, approval and dismissal is one form. */
export interface Acts {
  /** Looks at the cases that found work. */
  looks: number;
  previews: number;
  removals: number;
  removedMembers: number;
  /** Forms that approved posts in bulk. */
  approvals: number;
  approvedPosts: number;
  /** Forms that dismissed reports about honest posts in bulk. */
  dismissals: number;
  dismissedPosts: number;
}

/** Maximum number of members of one removal, and of posts of one bulk act. */
const BULK_MAX = 200;

/**
 * A moderator who recognises spam and works as the pages allow. The moderator removes all spammers of the
 * open cases after one preview, with the hosts that the preview preselects. The moderator approves honest
 * posts in bulk, and dismisses reports about them in bulk.
 */
export function createModerator(core: Core, { builderId }: BuilderCaller) {
  const acts: Acts = {
    looks: 0,
    previews: 0,
    removals: 0,
    removedMembers: 0,
    approvals: 0,
    approvedPosts: 0,
    dismissals: 0,
    dismissedPosts: 0,
  };
  return {
    acts,
    async look(): Promise<void> {
      const caller = signedInNow(core, { builderId });
      const cases = openCases(core, caller);
      if (cases.length === 0) return;
      acts.looks++;
      const owners = new Set(cases.flatMap(({ subject }) => subject.owner ?? []));
      const spammers = [...owners].filter((name) => name.startsWith("spammer"));
      for (const usernames of chunks(spammers)) {
        const { hosts } = await previewRemoval(core, caller, usernames);
        acts.previews++;
        const chosen = hosts.filter(({ isPreselected }) => isPreselected).map(({ host }) => host);
        const draft = { usernames, hosts: chosen, reason: "Advertising" };
        acts.removedMembers += removeSpammers(core, caller, draft).length;
        acts.removals++;
        while (core.db.transact(() => continueBatches(core)));
      }
      const honest = cases.filter(({ subject }) => subject.owner?.startsWith("newcomer"));
      const inBulk = (
        act: "approve" | "dismiss",
        found: ListedCase[],
        count: (posts: number) => void,
      ): void => {
        for (const some of chunks(found)) {
          const subjectIds = some.map(({ subject }) => subject.id);
          const { done, refused } = decideMany(core, caller, { act, subjectIds });
          if (refused[0]) throw refused[0].error;
          count(done.length);
        }
      };
      inBulk(
        "approve",
        honest.filter(({ held }) => held),
        (posts) => {
          acts.approvals++;
          acts.approvedPosts += posts;
        },
      );
      inBulk(
        "dismiss",
        honest.filter(({ held }) => !held),
        (posts) => {
          acts.dismissals++;
          acts.dismissedPosts += posts;
        },
      );
    },
  };
}

function openCases(core: Core, caller: Caller): ListedCase[] {
  const found: ListedCase[] = [];
  for (let cursor: string | undefined; ;) {
    const page = listCases(core, caller, {}, { limit: 100, cursor });
    found.push(...page.nodes);
    const last = page.nodes.at(-1);
    if (!page.hasNextPage || !last) return found;
    cursor = page.cursorOf(last);
  }
}

function chunks<Item>(items: readonly Item[]): Item[][] {
  const found: Item[][] = [];
  for (let i = 0; i < items.length; i += BULK_MAX) found.push(items.slice(i, i + BULK_MAX));
  return found;
}
