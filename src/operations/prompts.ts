import {
  getPrompt,
  listPrompts,
  PromptDraft,
  PromptFilter,
  PromptReaderView,
  PromptView,
  submitPrompt,
} from "../core/community/prompts/prompts.ts";
import { withOwnStars, RatingDraft, ratePrompt, starsAmong } from "../core/community/prompts/ratings.ts";
import { deletePrompt } from "../core/community/prompts/removal.ts";
import { listVersions, revisePrompt, VersionDraft, VersionView } from "../core/community/prompts/versions.ts";
import { pickFields, mergeViews } from "../core/base/view.ts";
import { area, list, read, write } from "./operation.ts";

// What the specification shows gains no field (docs/contract.md#1.1).
const ListedPrompt = pickFields("Prompt", PromptView, [
  "id",
  "title",
  "body",
  "model",
  "category",
  "score",
  "author",
]);
const PromptDetail = mergeViews("PromptDetail", PromptView, PromptReaderView);

const param = {
  name: "id",
  description: "The prompt's identifier.",
  example: "prompt_01kafzq8e5f2r8v0j3n6s1t4wx",
};
const unrated = { score: 0, ratings: 0, stars: null };

export const promptOperations = area("Prompts", {
  listPrompts: list({
    at: "GET /prompts",
    summary: "List the community's prompts, best first",
    description:
      "Ordered by the Bayesian mean of the ratings (five ratings of 3.0 as the prior), then newest first, so that one vote does not outrank forty. Each in its current version.",
    scope: "prompts:read",
    filter: PromptFilter,
    view: ListedPrompt,
    page: "PromptPage",
    gives: "One page of prompts",
    run: ({ core, caller, filter, page }) => listPrompts(core, caller, filter, page),
  }),
  submitPrompt: write({
    at: "POST /prompts",
    summary: "Put a prompt into the library",
    scope: "prompts:write",
    effect: "makes",
    draft: PromptDraft,
    view: PromptDetail,
    example: { ...unrated, version: 1, note: "", revised_at: null },
    gives: "The prompt, in its first version",
    run: ({ core, caller, draft }) => withOwnStars(submitPrompt(core, caller, draft)),
    place: ({ id }) => `/prompts/${id}`,
  }),
  getPrompt: read({
    at: "GET /prompts/{id}",
    summary: "Retrieve a prompt in its current version",
    description: "One that moderators hide is not there, but for its author and for them.",
    scope: "prompts:read",
    param,
    view: PromptDetail,
    gives: "The prompt",
    run: ({ core, caller, id }) =>
      withOwnStars(getPrompt(core, caller, id), starsAmong(core, caller, [id]).get(id)),
  }),
  deletePrompt: write({
    at: "DELETE /prompts/{id}",
    summary: "Delete a prompt of your own",
    description: "Its versions and ratings go with it.",
    restDescription: "403 for somebody else's.",
    scope: "prompts:write",
    effect: "removes",
    param,
    gives: "It is gone",
    run: ({ core, caller, id }) => deletePrompt(core, caller, id),
  }),
  listPromptVersions: list({
    at: "GET /prompts/{id}/versions",
    summary: "List the versions of a prompt, the current one first",
    description: "Ratings belong to a version: each keeps the score that it earned.",
    scope: "prompts:read",
    param,
    view: VersionView,
    page: "PromptVersionPage",
    gives: "One page of versions",
    run: ({ core, caller, id, page }) => listVersions(core, caller, id, page),
  }),
  revisePrompt: write({
    at: "POST /prompts/{id}/versions",
    summary: "Make a new version of your own prompt",
    description:
      "What you leave out stays. The new version begins unrated, and the list shows it from now on. A prompt has a hundred versions at most.",
    restDescription: "403 for somebody else's; 409 for the hundred and first version.",
    scope: "prompts:write",
    effect: "makes",
    param,
    draft: VersionDraft,
    view: PromptDetail,
    example: unrated,
    gives: "The prompt, in its new version",
    run: ({ core, caller, id, draft }) => withOwnStars(revisePrompt(core, caller, id, draft)),
    place: ({ id }) => `/prompts/${id}`,
  }),
  ratePrompt: write({
    at: "PUT /prompts/{id}/rating",
    summary: "Rate the current version of somebody else's prompt, or change your rating",
    description: "One rating for each builder and version.",
    restDescription: "403 for your own prompt; 409 where `version` is not the current one any more.",
    scope: "prompts:write",
    effect: "changes",
    param,
    draft: RatingDraft,
    view: PromptDetail,
    refusals: [409],
    gives: "The prompt with its new score",
    run: ({ core, caller, id, draft }) => withOwnStars(ratePrompt(core, caller, id, draft), draft.stars),
  }),
});
