import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { notify } from "../../identity/notifications/notify.ts";
import { WholeNumber } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { markActive } from "../xp/streaks.ts";
import { award, withdrawXp } from "../xp/xp.ts";
import { updatePrompt } from "./prompts-store.ts";
import { currentPrompt, findPrompt, type Prompt, unknownPrompt } from "./prompts.ts";
import {
  deleteRating,
  findStars,
  findSums,
  putRating,
  selectRatingsBy,
  selectStars,
  subtractFromVersion,
} from "./ratings-store.ts";
import { rankOf, scoreOf } from "./score.ts";

export const RatingDraft = Type.Object({
  stars: WholeNumber(1, 5, { description: "The rating, from 1 (poor) to 5 (excellent).", examples: [5] }),
  version: Type.Optional(
    WholeNumber(1, 1_000_000, {
      description:
        "The version that you rate. If it is no longer the current version, the rating is refused. Without this field, the current version is rated.",
      examples: [1],
    }),
  ),
});
export type RatingDraft = Static<typeof RatingDraft>;

/** Minimum number of stars for which the author of the prompt earns XP. */
const PRAISE = 4;

/**
 * Rates the current version of a prompt, or changes the caller's rating, and returns the prompt with its new
 * score. Needs `prompts:write`. Throws not_found, also for a hidden prompt. Throws forbidden for the caller's
 * own prompt, and conflict if the given version is no longer current.
 */
export function ratePrompt(core: Core, caller: Caller, id: string, draft: RatingDraft): Prompt {
  const { builderId } = requireBuilder(caller, "prompts:write");
  return core.db.transact(() => {
    const prompt = findPrompt(core, id);
    if (!prompt || prompt.hiddenAt !== null) throw unknownPrompt();
    if (prompt.authorId === builderId) throw refuse("own_prompt");
    const { version, authorId } = prompt;
    if (draft.version !== undefined && draft.version !== version) throw refuse("prompt_revised", { version });
    const rating = { promptId: id, version, builderId };
    const before = findStars(core, rating);
    putRating(core, { ...rating, stars: draft.stars }, core.clock.now());
    const sums = findSums(core, id);
    const sum = sums.sum - (before ?? 0) + draft.stars;
    const count = sums.count + (before === undefined ? 1 : 0);
    setSums(core, id, sum, count);
    (draft.stars >= PRAISE ? award : withdrawXp)(core, authorId, "rating.received", id, builderId);
    markActive(core, builderId);
    if (before === undefined)
      notify(core, { to: authorId, kind: "prompt_rating", by: builderId, subject: { type: "prompt", id } });
    return currentPrompt(core, id);
  });
}

/**
 * Removes at most `limit` ratings, of any version, by a builder whose account is being deleted. Updates
 * scores and withdraws the XP that authors earned from these ratings. Returns the number of removed ratings.
 * The calling operation must check permissions. Call it in a transaction.
 */
export function deleteRatingsOf(core: Core, builderId: string, limit: number): number {
  const ratings = selectRatingsBy(core, builderId, limit);
  for (const { promptId, version, stars, currentVersion, authorId } of ratings) {
    deleteRating(core, { promptId, version, builderId });
    if (version === currentVersion) {
      const { sum, count } = findSums(core, promptId);
      setSums(core, promptId, sum - stars, count - 1);
    } else subtractFromVersion(core, promptId, version, stars);
    withdrawXp(core, authorId, "rating.received", promptId, builderId);
  }
  return ratings.length;
}

function setSums(core: Core, id: string, ratingSum: number, ratingCount: number): void {
  updatePrompt(core, id, {
    ratingSum,
    ratingCount,
    score: scoreOf(ratingSum, ratingCount),
    rank: rankOf(ratingSum, ratingCount),
  });
}

/** Adds the reader's rating to a prompt. `stars` is undefined if the reader has not rated the prompt. */
export function withOwnStars(prompt: Prompt, stars?: number) {
  return { ...prompt, stars: stars ?? null, hidden: prompt.hiddenAt !== null };
}

/**
 * Returns the caller's ratings of the current versions of these prompts, with one query. Needs
 * `prompts:read`.
 */
export function starsAmong(
  core: Core,
  caller: Caller,
  promptIds: readonly string[],
): ReadonlyMap<string, number> {
  requireScope(caller, "prompts:read");
  if (caller.builderId === null || promptIds.length === 0) return new Map();
  const rows = selectStars(core, caller.builderId, promptIds);
  return new Map(rows.map(({ promptId, stars }) => [promptId, stars]));
}
