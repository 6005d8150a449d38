import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { type Page, type PageRequest, pagesOf } from "../../base/page.ts";
import { Timestamp } from "../../base/view.ts";
import { spendLinks } from "../../identity/newcomers/newcomers.ts";
import { brakeOf } from "../holding/brakes.ts";
import { hold } from "../holding/holding.ts";
import { mentionedIn, storeMentions } from "../mentions/mentions.ts";
import { withdrawSubject } from "../xp/xp.ts";
import { indexPrompt, updatePrompt } from "./prompts-store.ts";
import {
  brakedTextsOf,
  currentPrompt,
  getPrompt,
  getPrompts,
  mentionsOfPrompt,
  ownPrompt,
  type Prompt,
  PromptBody,
  PromptModel,
  PromptTitle,
  PromptView,
  unknownPrompt,
} from "./prompts.ts";
import { rankOf, scoreOf } from "./score.ts";
import {
  findCurrent,
  findEarlier,
  insertVersion,
  selectVersions,
  type VersionRow,
} from "./versions-store.ts";

const { version, note, ratings, title, body, model, score } = PromptView.properties;

/**
 * A current or earlier version of a prompt. Each rating belongs to the version that was current when the
 * rating was made.
 */
export const VersionView = Type.Object(
  {
    version,
    note,
    ratings,
    title,
    body,
    model,
    score,
    createdAt: Timestamp({
      description: "The time at which the version was created.",
      examples: ["2026-11-18T08:00:00.000Z"],
    }),
  },
  { $id: "PromptVersion" },
);
export type PromptVersion = Static<typeof VersionView>;

/** Maximum number of versions of a prompt. */
export const VERSIONS_MAX = 100;

export const VersionDraft = Type.Object({
  body: PromptBody,
  note: Text({
    max: 500,
    visible: true,
    description: "The changes in this version, and the reason.",
    examples: ["Asks for tests before style."],
  }),
  title: Type.Optional(PromptTitle),
  model: Type.Optional(PromptModel),
});
export type VersionDraft = Static<typeof VersionDraft>;

/**
 * Adds a version to the caller's own prompt and returns the prompt. Omitted fields are unchanged. The new
 * version has no ratings and becomes the current version. A version that a brake catches hides the prompt
 * until the approval. Needs `prompts:write`. Throws not_found, and forbidden for another member's prompt.
 * Throws conflict if the prompt already has `VERSIONS_MAX` versions.
 */
export function revisePrompt(core: Core, caller: Caller, id: string, draft: VersionDraft): Prompt {
  const author = requireBuilder(caller, "prompts:write");
  return core.db.transact(() => {
    const current = ownPrompt(core, author, id);
    if (current.version >= VERSIONS_MAX) throw refuse("versions_too_many", { max: VERSIONS_MAX });
    insertVersion(core, { ...currentVersion(core, id), promptId: id });
    const { body, note, title = current.title, model = current.model } = draft;
    const before = [current.title, current.body, current.note];
    spendLinks(core, author, { texts: [title, body, note] }, { texts: before });
    const next = { ...current, body, note, title, model };
    const brake =
      current.hiddenAt === null
        ? brakeOf(core, author, { ...brakedTextsOf(next), before: brakedTextsOf(current) })
        : null;
    if (brake) {
      const mentioned = mentionedIn(core, id);
      const { builderId } = author;
      hold(core, brake, { subjectId: id, builderId, kind: "prompt", isNew: false, mentioned });
      withdrawSubject(core, id, "hidden");
    }
    updatePrompt(core, id, {
      ...(brake ? { hiddenAt: core.clock.now() } : {}),
      body,
      note,
      title,
      model,
      version: current.version + 1,
      revisedAt: core.clock.now(),
      ratingCount: 0,
      ratingSum: 0,
      score: scoreOf(0, 0),
      rank: rankOf(0, 0),
    });
    indexPrompt(core, id);
    const prompt = currentPrompt(core, id);
    storeMentions(core, mentionsOfPrompt(prompt));
    return prompt;
  });
}

/**
 * Returns all versions of a prompt, the current version first. Needs `prompts:read`. Throws not_found, and
 * bad_request for a cursor of another list.
 */
export function listVersions(
  core: Core,
  caller: Caller,
  promptId: string,
  request: PageRequest,
): Page<PromptVersion> {
  requireScope(caller, "prompts:read");
  const { id } = getPrompt(core, caller, promptId);
  return versionsOf(core, [id], request).get(id) as Page<PromptVersion>;
}

/**
 * Returns one version of a prompt by its number. Needs `prompts:read`. Throws not_found for an unknown prompt
 * or version.
 */
export function getVersion(core: Core, caller: Caller, promptId: string, number: number): PromptVersion {
  const { version } = getPrompt(core, caller, promptId);
  const row = number === version ? currentVersion(core, promptId) : findEarlier(core, promptId, number);
  if (!row) throw refuse("version_unknown");
  return toVersion(row);
}

/**
 * Returns the versions of many prompts at once. Leaves out prompts that the caller may not see. Needs
 * `prompts:read`.
 */
export function listVersionsOf(
  core: Core,
  caller: Caller,
  promptIds: readonly string[],
  request: PageRequest,
): ReadonlyMap<string, Page<PromptVersion>> {
  const ids = getPrompts(core, caller, promptIds).map(({ id }) => id);
  return versionsOf(core, ids, request);
}

function versionsOf(core: Core, ids: readonly string[], request: PageRequest) {
  return pagesOf<PromptVersion, number>(ids, request, {
    scopeOf: (promptId) => ({ list: "versions", filters: { promptId } }),
    isKey: (parts): parts is [number] => parts.length === 1 && Number.isSafeInteger(parts[0]),
    select: (walks) =>
      new Map([...selectVersions(core, walks, request)].map(([id, rows]) => [id, rows.map(toVersion)])),
    keyOf: ({ version }) => version,
  });
}

function currentVersion(core: Core, id: string): VersionRow {
  const current = findCurrent(core, id);
  if (!current) throw unknownPrompt();
  return current;
}

function toVersion({ promptId: _, number, ratingCount, ratingSum, ...row }: VersionRow): PromptVersion {
  return { ...row, version: number, score: scoreOf(ratingSum, ratingCount), ratings: ratingCount };
}
