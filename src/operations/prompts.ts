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

// Views of the specification must not gain fields (docs/contract.md#1.1).
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
  description: "The identifier of the prompt.",
  example: "prompt_01kafzq8e5f2r8v0j3n6s1t4wx",
};
const unrated = { score: 0, ratings: 0, stars: null };

export const promptOperations = area("Prompts", {
  listPrompts: list({
    route: "GET /prompts",
    summary: "List prompts in the library",
    description:
      "Returns the current version of each prompt, best first. Prompts are sorted by the Bayesian mean of their ratings, with five ratings of 3.0 as the prior. Prompts with the same mean are sorted newest first. One rating of 5 therefore ranks below forty ratings of 4.",
    scope: "prompts:read",
    filter: PromptFilter,
    view: ListedPrompt,
    page: "PromptPage",
    responseDescription: "One page of prompts",
    run: ({ core, caller, filter, page }) => listPrompts(core, caller, filter, page),
  }),
  submitPrompt: write({
    route: "POST /prompts",
    summary: "Submit a prompt",
    description: "Adds a prompt to the library, as version 1.",
    scope: "prompts:write",
    effect: "creates",
    draft: PromptDraft,
    view: PromptDetail,
    example: { ...unrated, version: 1, note: "", revised_at: null },
    responseDescription: "The prompt in its first version",
    run: ({ core, caller, draft }) => withOwnStars(submitPrompt(core, caller, draft)),
    locationOf: ({ id }) => `/prompts/${id}`,
  }),
  getPrompt: read({
    route: "GET /prompts/{id}",
    summary: "Retrieve a prompt",
    description:
      "Returns the current version of a prompt. A hidden prompt is visible only to its author and the moderators.",
    restDescription: "Returns 404 for a prompt that you may not see.",
    scope: "prompts:read",
    param,
    view: PromptDetail,
    responseDescription: "The prompt",
    run: ({ core, caller, id }) =>
      withOwnStars(getPrompt(core, caller, id), starsAmong(core, caller, [id]).get(id)),
  }),
  deletePrompt: write({
    route: "DELETE /prompts/{id}",
    summary: "Delete your own prompt",
    description: "Deletes the prompt with its versions and ratings.",
    restDescription: "Returns 403 for another builder's prompt.",
    scope: "prompts:write",
    effect: "removes",
    param,
    responseDescription: "The prompt is deleted",
    run: ({ core, caller, id }) => deletePrompt(core, caller, id),
  }),
  listPromptVersions: list({
    route: "GET /prompts/{id}/versions",
    summary: "List the versions of a prompt",
    description: "Returns versions, the current version first. Each version keeps its own ratings and score.",
    scope: "prompts:read",
    param,
    view: VersionView,
    page: "PromptVersionPage",
    responseDescription: "One page of versions",
    run: ({ core, caller, id, page }) => listVersions(core, caller, id, page),
  }),
  revisePrompt: write({
    route: "POST /prompts/{id}/versions",
    summary: "Publish a new version of your prompt",
    description:
      "Creates a version from the fields you send. All other fields stay as they are. The new version has no ratings yet and replaces the previous version in the list. A prompt has up to 100 versions.",
    restDescription: "Returns 403 for another builder's prompt, and 409 if the prompt has 100 versions.",
    scope: "prompts:write",
    effect: "creates",
    param,
    draft: VersionDraft,
    view: PromptDetail,
    example: unrated,
    responseDescription: "The prompt in its new version",
    run: ({ core, caller, id, draft }) => withOwnStars(revisePrompt(core, caller, id, draft)),
    locationOf: ({ id }) => `/prompts/${id}`,
  }),
  ratePrompt: write({
    route: "PUT /prompts/{id}/rating",
    summary: "Rate a prompt",
    description:
      "Rates the current version of another builder's prompt. If you have already rated this version, your rating is replaced.",
    restDescription: "Returns 403 for your own prompt, and 409 if `version` is not the current version.",
    scope: "prompts:write",
    effect: "changes",
    param,
    draft: RatingDraft,
    view: PromptDetail,
    refusals: [409],
    responseDescription: "The prompt with its new score",
    run: ({ core, caller, id, draft }) => withOwnStars(ratePrompt(core, caller, id, draft), draft.stars),
  }),
});
