import { type Static, Type } from "@sinclair/typebox";
import { type Caller, isModerator, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { type Filtered, ruled, Slug, Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { HiddenView, seesHidden } from "../../identity/access/visibility.ts";
import { cursorKey, type CursorKey, type Page, pageOf, type PageRequest, pagesOf } from "../../base/page.ts";
import { Id, orNull, pickFields, Shown, Timestamp } from "../../base/view.ts";
import { AuthorView } from "../../identity/builders/author.ts";
import { spendLinks } from "../../identity/newcomers/newcomers.ts";
import { storeMentions, type MentioningText } from "../mentions/mentions.ts";
import { award } from "../xp/xp.ts";
import {
  insertPrompt,
  selectPrompts,
  selectPromptsById,
  selectPromptsOf,
  selectSubmitted,
} from "./prompts-store.ts";
import { rankOf } from "./score.ts";

export { indexPrompt } from "./prompts-store.ts";

/** What a prompt shows, in its current version. */
export const PromptView = Type.Object({
  id: Id("prompt_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the prompt."),
  title: Shown("The title: what the prompt is for.", "Review a diff like a maintainer"),
  body: Shown(
    "The text of the prompt.",
    "You maintain this project and will live with this change for ten years …",
  ),
  model: Shown("The model, as a slug.", "claude-sonnet"),
  category: Shown("The category, as a slug.", "code-review"),
  score: Type.Number({
    minimum: 0,
    maximum: 5,
    description:
      "The mean rating of this version, from 1 to 5, with two decimals. 0 if there are no ratings.",
    examples: [4.63],
  }),
  author: pickFields("PromptAuthor", AuthorView, ["username"]),
  version: Type.Integer({ description: "The version number, starting at 1.", examples: [2] }),
  note: Shown("The changes in this version. Empty for the first version.", "Asks for tests before style."),
  ratings: Type.Integer({ description: "The number of ratings of this version.", examples: [8] }),
  createdAt: Timestamp({
    description: "The time at which the prompt was submitted.",
    examples: ["2026-11-02T18:20:00.000Z"],
  }),
  revisedAt: orNull(Timestamp(), {
    description: "The time at which the current version was created. `null` for the first version.",
    examples: ["2026-11-18T08:00:00.000Z"],
  }),
});

/** What of it depends on who looks. */
export const PromptReaderView = Type.Object({
  stars: orNull(Type.Integer(), {
    description: "Your rating of the current version, 1 to 5. `null` if you have not rated this version.",
    examples: [5],
  }),
  hidden: HiddenView,
});

export interface Prompt extends Static<typeof PromptView> {
  authorId: string;
  /**
   * Since when moderators hide it, for those few who see it all the same; null for a prompt that everybody
   * sees.
   */
  hiddenAt: number | null;
}

/** A prompt with what places it in the list. */
export interface RankedPrompt extends Prompt {
  rank: number;
}

/** What the library can be asked for. */
export const PromptFilter = Type.Object({
  model: Type.Optional(Slug({ description: "The model, as a slug.", examples: ["claude-sonnet"] })),
  category: Type.Optional(Slug({ description: "The category, as a slug.", examples: ["code-review"] })),
  min_score: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 5,
      description: "Return only prompts with at least this score.",
      examples: [4],
      ...ruled("not_decimal", { min: 0, max: 5 }),
    }),
  ),
});

export type PromptFilter = Filtered<typeof PromptFilter>;

export const PromptTitle = Text({
  max: 200,
  visible: true,
  line: true,
  description: "The title: what the prompt is for, on one line.",
  examples: ["Review a diff like a maintainer"],
});
export const PromptBody = Text({
  max: 20_000,
  visible: true,
  description: "The text of the prompt.",
  examples: ["You maintain this project and will live with this change for ten years …"],
});
export const PromptModel = Slug({
  description: "The model that the prompt was written for, as a slug.",
  examples: ["claude-sonnet"],
});

/**
 * v1 only lists prompts: these are the fields that it shows (docs/contract.md#V2.3), each as long as a post
 * or a job may be.
 */
export const PromptDraft = Type.Object({
  title: PromptTitle,
  body: PromptBody,
  model: PromptModel,
  category: Slug({ description: "The category, as a slug.", examples: ["code-review"] }),
});
export type PromptDraft = Static<typeof PromptDraft>;

/**
 * Best first, then newest, without what is hidden. Needs `prompts:read`. Throws bad_request for a cursor of
 * another list.
 */
export function listPrompts(
  core: Core,
  caller: Caller,
  filter: PromptFilter,
  request: PageRequest,
): Page<RankedPrompt> {
  requireScope(caller, "prompts:read");
  const { min_score: minScore, ...words } = filter;
  const scope = { list: "prompts", filters: { ...words, minScore } };
  const key = cursorKey(request, scope, isRankKey);
  const rows = selectPrompts(core, filter, key, request);
  return pageOf(rows, request, scope, (prompt) => [prompt.rank, prompt.id]);
}

/**
 * What the caller has submitted, newest first; hidden ones are marked by `hiddenAt`. Needs `prompts:read`.
 * Throws bad_request.
 */
export function listOwnPrompts(core: Core, caller: Caller, request: PageRequest): Page<Prompt> {
  const { builderId } = requireBuilder(caller, "prompts:read");
  const scope = { list: "submitted", filters: { builderId } };
  const key = cursorKey(request, scope, isPromptKey);
  return pageOf(selectSubmitted(core, builderId, key?.[0], request), request, scope, ({ id }) => [id]);
}

/**
 * What everybody sees of the prompts of many builders, newest first, without what is hidden; a list for each
 * id, empty where there is no such builder. Needs `prompts:read`. Throws bad_request for a cursor of another
 * list.
 */
export function listPromptsOf(
  core: Core,
  caller: Caller,
  builderIds: readonly string[],
  request: PageRequest,
): ReadonlyMap<string, Page<Prompt>> {
  requireScope(caller, "prompts:read");
  return pagesOf<Prompt, string>(builderIds, request, {
    scopeOf: (builderId) => ({ list: "prompts-of", filters: { builderId } }),
    isKey: isPromptKey,
    select: (walks) => selectPromptsOf(core, walks, request),
    keyOf: ({ id }) => id,
  });
}

/**
 * One prompt by its id, in its current version. One that is hidden is shown to its author and to moderators
 * alone, marked by `hiddenAt`. Needs `prompts:read`. Throws not_found.
 */
export function getPrompt(core: Core, caller: Caller, id: string): Prompt {
  const [prompt] = getPrompts(core, caller, [id]);
  if (!prompt) throw unknownPrompt();
  return prompt;
}

/** The same for many at once; those that the caller cannot see are left out. In the order of `ids`. */
export function getPrompts(core: Core, caller: Caller, ids: readonly string[]): Prompt[] {
  requireScope(caller, "prompts:read");
  const found = new Map(
    selectPromptsById(core, ids)
      .filter((prompt) => isVisible(caller, prompt))
      .map((prompt) => [prompt.id, prompt]),
  );
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Puts a prompt into the library, in its first version and not yet rated. Needs `prompts:write`. */
export function submitPrompt(core: Core, caller: Caller, draft: PromptDraft): Prompt {
  const author = requireBuilder(caller, "prompts:write");
  const { title, body, model, category } = draft;
  return core.db.transact(() => {
    spendLinks(core, author, { texts: [title, body] });
    const createdAt = core.clock.now();
    const id = core.makeId("prompt", createdAt);
    insertPrompt(core, {
      id,
      authorId: author.builderId,
      title,
      body,
      model,
      category,
      rank: rankOf(0, 0),
      createdAt,
    });
    award(core, author.builderId, "prompt.submitted", id);
    const prompt = currentPrompt(core, id);
    storeMentions(core, mentioning(prompt));
    return prompt;
  });
}

/** Who is named in a prompt, and told of it unless it is hidden. */
export function mentioning({ id, body, authorId, hiddenAt }: Prompt): MentioningText {
  const isLeftOut = hiddenAt === null ? undefined : () => true;
  return { id, text: body, isSample: true, by: authorId, subject: { type: "prompt", id }, isLeftOut };
}

/**
 * The caller's own prompt, hidden or not, for what only an author may do. Throws not_found, and forbidden for
 * somebody else's: that it is there is no secret, as everybody may read it.
 */
export function ownPrompt(core: Core, caller: Caller & { builderId: string }, id: string): RankedPrompt {
  const prompt = findPrompt(core, id);
  if (!prompt || !isVisible(caller, prompt)) throw unknownPrompt();
  if (prompt.authorId !== caller.builderId) throw refuse("prompt_not_yours");
  return prompt;
}

/**
 * What a caller may do with a prompt that they see, by the same rules as the acts themselves; a test tries
 * each.
 */
export function promptAbilities(
  caller: Caller,
  { authorId, hiddenAt }: Prompt,
): Record<"rate" | "revise" | "delete" | "moderate", boolean> {
  const writes = caller.builderId !== null && caller.scopes.has("prompts:write");
  const isOwn = authorId === caller.builderId;
  return {
    rate: writes && !isOwn && hiddenAt === null,
    revise: writes && isOwn,
    delete: writes && isOwn,
    moderate: isModerator(caller),
  };
}

/** A prompt in whatever state but deleted. */
export function findPrompt(core: Core, id: string): RankedPrompt | undefined {
  return selectPromptsById(core, [id])[0];
}

/** A prompt that is known to be there, as it is now. */
export function currentPrompt(core: Core, id: string): Prompt {
  const prompt = findPrompt(core, id);
  if (!prompt) throw new Error("a prompt that was just written is not there");
  return prompt;
}

export function unknownPrompt() {
  return refuse("prompt_unknown");
}

function isVisible(caller: Caller, prompt: Prompt): boolean {
  return prompt.hiddenAt === null || seesHidden(caller, prompt.authorId);
}

function isPromptKey(key: CursorKey): key is [string] {
  return key.length === 1 && isId("prompt", key[0]);
}

function isRankKey(key: CursorKey): key is [number, string] {
  return key.length === 2 && typeof key[0] === "number" && isId("prompt", key[1]);
}
