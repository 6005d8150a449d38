import { type Static, Type } from "@sinclair/typebox";
import { type Caller, isModerator, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { type Filtered, ruled, Slug, Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { HiddenView, seesHidden } from "../../identity/access/visibility.ts";
import { cursorKey, type CursorKey, type Page, pageOf, type PageRequest, pagesOf } from "../../base/page.ts";
import { Id, orNull, pickFields, DisplayText, Timestamp } from "../../base/view.ts";
import { AuthorView } from "../../identity/builders/author.ts";
import { spendLinks } from "../../identity/newcomers/newcomers.ts";
import { type BrakedContent, brakeOf } from "../holding/brakes.ts";
import { hold } from "../holding/holding.ts";
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

/** The current version of a prompt. */
export const PromptView = Type.Object({
  id: Id("prompt_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the prompt."),
  title: DisplayText("The title: what the prompt is for.", "Review a diff like a maintainer"),
  body: DisplayText(
    "The text of the prompt.",
    "You maintain this project and will live with this change for ten years …",
  ),
  model: DisplayText("The model, as a slug.", "claude-sonnet"),
  category: DisplayText("The category, as a slug.", "code-review"),
  score: Type.Number({
    minimum: 0,
    maximum: 5,
    description:
      "The mean rating of this version, from 1 to 5, with two decimals. 0 if there are no ratings.",
    examples: [4.63],
  }),
  author: pickFields("PromptAuthor", AuthorView, ["username"]),
  version: Type.Integer({ description: "The version number, starting at 1.", examples: [2] }),
  note: DisplayText(
    "The changes in this version. Empty for the first version.",
    "Asks for tests before style.",
  ),
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

/** The part of a prompt that depends on the reader. */
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
   * When moderators hid the prompt, in ms since the epoch. Null for a public prompt. Only the author and
   * moderators see a hidden prompt.
   */
  hiddenAt: number | null;
}

/** A prompt with its sort key in the list. */
export interface RankedPrompt extends Prompt {
  rank: number;
}

/** Filters of the prompt list. */
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
 * Input for a new prompt. v1 can only list prompts, and shows these fields (docs/contract.md#V2.3). Texts
 * have the same length limits as the texts of posts and jobs.
 */
export const PromptDraft = Type.Object({
  title: PromptTitle,
  body: PromptBody,
  model: PromptModel,
  category: Slug({ description: "The category, as a slug.", examples: ["code-review"] }),
});
export type PromptDraft = Static<typeof PromptDraft>;

/**
 * Returns the public prompts, best first, then newest first. Needs `prompts:read`. Throws bad_request for a
 * cursor of another list.
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
 * Returns the caller's own prompts, newest first. Hidden prompts have `hiddenAt` set. Needs `prompts:read`.
 * Throws bad_request for a cursor of another list.
 */
export function listOwnPrompts(core: Core, caller: Caller, request: PageRequest): Page<Prompt> {
  const { builderId } = requireBuilder(caller, "prompts:read");
  const scope = { list: "submitted", filters: { builderId } };
  const key = cursorKey(request, scope, isPromptKey);
  return pageOf(selectSubmitted(core, builderId, key?.[0], request), request, scope, ({ id }) => [id]);
}

/**
 * Returns the public prompts of many builders, newest first. The list of an unknown builder is empty. Needs
 * `prompts:read`. Throws bad_request for a cursor of another list.
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
 * Returns the current version of a prompt. Only the author and moderators see a hidden prompt, which has
 * `hiddenAt` set. Needs `prompts:read`. Throws not_found.
 */
export function getPrompt(core: Core, caller: Caller, id: string): Prompt {
  const [prompt] = getPrompts(core, caller, [id]);
  if (!prompt) throw unknownPrompt();
  return prompt;
}

/**
 * Returns many prompts in the order of `ids`. Leaves out prompts that the caller may not see. Needs
 * `prompts:read`.
 */
export function getPrompts(core: Core, caller: Caller, ids: readonly string[]): Prompt[] {
  requireScope(caller, "prompts:read");
  const found = new Map(
    selectPromptsById(core, ids)
      .filter((prompt) => isVisible(caller, prompt))
      .map((prompt) => [prompt.id, prompt]),
  );
  return ids.flatMap((id) => found.get(id) ?? []);
}

/**
 * Publishes the first version of a prompt. A prompt that a brake holds is hidden, and its XP and mentions
 * begin at the approval (docs/contract.md#12.39). Needs `prompts:write`.
 */
export function submitPrompt(core: Core, caller: Caller, draft: PromptDraft): Prompt {
  const author = requireBuilder(caller, "prompts:write");
  const { title, body, model, category } = draft;
  return core.db.transact(() => {
    spendLinks(core, author, { texts: [title, body] });
    const brake = brakeOf(core, author, brakedTextsOf({ ...draft, note: "" }));
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
      hiddenAt: brake ? createdAt : null,
    });
    if (brake) hold(core, brake, { subjectId: id, builderId: author.builderId, kind: "prompt", isNew: true });
    else award(core, author.builderId, "prompt.submitted", id);
    const prompt = currentPrompt(core, id);
    storeMentions(core, mentionsOfPrompt(prompt));
    return prompt;
  });
}

/** Returns all texts of a version that readers see, for the brakes. */
export function brakedTextsOf({
  title,
  body,
  note,
  model,
  category,
}: Pick<Prompt, "title" | "body" | "note" | "model" | "category">): BrakedContent {
  return { texts: [body, title, note, model, category] };
}

/** Returns the input for notifying the members that a prompt mentions. A hidden prompt notifies nobody. */
export function mentionsOfPrompt({ id, body, authorId, hiddenAt }: Prompt): MentioningText {
  const isExcluded = hiddenAt === null ? undefined : () => true;
  return { id, text: body, isPlainText: true, by: authorId, subject: { type: "prompt", id }, isExcluded };
}

/**
 * Returns the caller's own prompt, hidden or not, for operations of authors. Throws not_found. Throws
 * forbidden for another member's prompt, because the prompt is public and its existence is no secret.
 */
export function ownPrompt(core: Core, caller: Caller & { builderId: string }, id: string): RankedPrompt {
  const prompt = findPrompt(core, id);
  if (!prompt || !isVisible(caller, prompt)) throw unknownPrompt();
  if (prompt.authorId !== caller.builderId) throw refuse("prompt_not_yours");
  return prompt;
}

/**
 * Returns what a caller may do with a visible prompt. The operations enforce the same rules, and a test
 * compares these results with the operations.
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

/** Finds a prompt in any state except deleted. */
export function findPrompt(core: Core, id: string): RankedPrompt | undefined {
  return selectPromptsById(core, [id])[0];
}

/** Reads a prompt that must exist, because it was just written. */
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
