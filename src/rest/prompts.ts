import { Type } from "@sinclair/typebox";
import { isoTime } from "../core/ground/clock.ts";
import {
  getPrompt,
  listPrompts,
  type Prompt,
  PromptDraft,
  PromptFilter,
  submitPrompt,
} from "../core/community/prompts/prompts.ts";
import { RatingDraft, ratePrompt, starsAmong } from "../core/community/prompts/ratings.ts";
import { deletePrompt } from "../core/community/prompts/removal.ts";
import {
  listVersions,
  type PromptVersion,
  revisePrompt,
  VersionDraft,
} from "../core/community/prompts/versions.ts";
import { operation } from "./operation.ts";
import { pageParameters, PageOf, pageRequest, presentPage } from "./page.ts";
import { PromptAuthor } from "./parts.ts";

const score = Type.Number({
  minimum: 0,
  maximum: 5,
  description: "Mean of the ratings 1 to 5, two decimals; 0 with none.",
});

const item = {
  id: Type.String(),
  title: Type.String(),
  body: Type.String(),
  model: Type.String({ description: "Model slug." }),
  category: Type.String({ description: "Category slug." }),
  score,
  author: PromptAuthor,
};
const version = {
  version: Type.Integer({ description: "Its number, from 1 on." }),
  note: Type.String({ description: "What changed with this version; empty for the first." }),
  ratings: Type.Integer({ description: "How many ratings this version has." }),
};

const PromptItem = Type.Object(item, { $id: "Prompt" });
const PromptDetail = Type.Object(
  {
    ...item,
    ...version,
    created_at: Type.String({ format: "date-time" }),
    revised_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "When the current version was made; null for a first one.",
    }),
    stars: Type.Union([Type.Integer(), Type.Null()], {
      description: "Your own rating of the current version; null where you gave none.",
    }),
    hidden: Type.Boolean({
      description: "Whether moderators hide it: then only its author and they are shown it.",
    }),
  },
  { $id: "PromptDetail" },
);
const Version = Type.Object(
  {
    ...version,
    title: Type.String(),
    body: Type.String(),
    model: Type.String(),
    score,
    created_at: Type.String({ format: "date-time" }),
  },
  { $id: "PromptVersion" },
);

const PromptsQuery = Type.Object({
  model: PromptFilter.properties.model,
  category: PromptFilter.properties.category,
  min_score: PromptFilter.properties.minScore,
  ...pageParameters,
});

const example = {
  id: "prompt_01kafzq8e5f2r8v0j3n6s1t4wx",
  title: "Review a diff like a maintainer",
  body: "You maintain this project and will live with this change for ten years …",
  model: "claude-sonnet",
  category: "code-review",
  score: 4.63,
  author: { username: "ada" },
};
const exampleDetail = {
  ...example,
  version: 2,
  note: "Asks for tests before style.",
  ratings: 8,
  created_at: "2026-11-02T18:20:00.000Z",
  revised_at: "2026-11-18T08:00:00.000Z",
  stars: 5,
  hidden: false,
};
const unrated = { score: 0, ratings: 0, stars: null };

const param = { name: "id", description: "The prompt's identifier.", example: example.id };

export const promptOperations = [
  operation({
    id: "listPrompts",
    method: "GET",
    path: "/prompts",
    group: "Prompts",
    summary: "List the community's prompts, best first",
    description:
      "Ordered by the Bayesian mean of the ratings (five ratings of 3.0 as the prior), then newest first, so that one vote does not outrank forty. Each in its current version.",
    scope: "prompts:read",
    query: PromptsQuery,
    answer: {
      status: 200,
      description: "One page of prompts",
      schema: PageOf("PromptPage", PromptItem),
      example: { data: [example], next: null },
    },
    refusals: [400],
    handle: ({ core, caller, query }) =>
      presentPage(
        listPrompts(
          core,
          caller,
          { model: query.model, category: query.category, minScore: query.min_score },
          pageRequest(query),
        ),
        presentPrompt,
      ),
  }),
  operation({
    id: "submitPrompt",
    method: "POST",
    path: "/prompts",
    group: "Prompts",
    summary: "Put a prompt into the library",
    scope: "prompts:write",
    body: PromptDraft,
    answer: {
      status: 201,
      description: "The prompt, in its first version",
      schema: PromptDetail,
      example: { ...exampleDetail, ...unrated, version: 1, note: "", revised_at: null },
    },
    refusals: [400, 409, 422],
    handle: ({ core, caller, body, commit }) =>
      commit(() => {
        const prompt = submitPrompt(core, caller, body);
        return {
          status: 201,
          body: presentDetail(prompt, undefined),
          headers: { location: `/v1/prompts/${prompt.id}` },
        };
      }),
  }),
  operation({
    id: "getPrompt",
    method: "GET",
    path: "/prompts/{id}",
    group: "Prompts",
    summary: "Retrieve a prompt in its current version",
    description: "One that moderators hide is a 404, but for its author and for them.",
    scope: "prompts:read",
    param,
    answer: { status: 200, description: "The prompt", schema: PromptDetail, example: exampleDetail },
    refusals: [404],
    handle: ({ core, caller, id }) => ({
      status: 200,
      body: presentDetail(getPrompt(core, caller, id), starsAmong(core, caller, [id]).get(id)),
    }),
  }),
  operation({
    id: "deletePrompt",
    method: "DELETE",
    path: "/prompts/{id}",
    group: "Prompts",
    summary: "Delete a prompt of your own",
    description: "Its versions and ratings go with it. 403 for somebody else's.",
    scope: "prompts:write",
    param,
    answer: { status: 204, description: "It is gone" },
    refusals: [404],
    handle: ({ core, caller, id, commit }) =>
      commit(() => {
        deletePrompt(core, caller, id);
        return { status: 204 };
      }),
  }),
  operation({
    id: "listPromptVersions",
    method: "GET",
    path: "/prompts/{id}/versions",
    group: "Prompts",
    summary: "List the versions of a prompt, the current one first",
    description: "Ratings belong to a version: each keeps the score that it earned.",
    scope: "prompts:read",
    param,
    query: Type.Object(pageParameters),
    answer: {
      status: 200,
      description: "One page of versions",
      schema: PageOf("PromptVersionPage", Version),
      example: {
        data: [
          {
            version: 2,
            note: exampleDetail.note,
            ratings: 8,
            title: example.title,
            body: example.body,
            model: example.model,
            score: example.score,
            created_at: exampleDetail.revised_at,
          },
        ],
        next: null,
      },
    },
    refusals: [400, 404],
    handle: ({ core, caller, id, query }) =>
      presentPage(listVersions(core, caller, id, pageRequest(query)), presentVersion),
  }),
  operation({
    id: "revisePrompt",
    method: "POST",
    path: "/prompts/{id}/versions",
    group: "Prompts",
    summary: "Make a new version of your own prompt",
    description:
      "What you leave out stays. The new version begins unrated, and the list shows it from now on. 403 for somebody else's; 409 for the hundred and first version.",
    scope: "prompts:write",
    param,
    body: VersionDraft,
    answer: {
      status: 201,
      description: "The prompt, in its new version",
      schema: PromptDetail,
      example: { ...exampleDetail, ...unrated },
    },
    refusals: [400, 404, 409, 422],
    handle: ({ core, caller, id, body, commit }) =>
      commit(() => {
        const prompt = revisePrompt(core, caller, id, body);
        return {
          status: 201,
          body: presentDetail(prompt, undefined),
          headers: { location: `/v1/prompts/${prompt.id}` },
        };
      }),
  }),
  operation({
    id: "ratePrompt",
    method: "PUT",
    path: "/prompts/{id}/rating",
    group: "Prompts",
    summary: "Rate the current version of a prompt, or change your rating",
    description:
      "One rating for each builder and version. 403 for your own prompt; 409 where `version` is not the current one any more.",
    scope: "prompts:write",
    param,
    body: RatingDraft,
    answer: {
      status: 200,
      description: "The prompt with its new score",
      schema: PromptDetail,
      example: exampleDetail,
    },
    refusals: [400, 404, 409],
    handle: ({ core, caller, id, body, commit }) =>
      commit(() => ({
        status: 200,
        body: presentDetail(ratePrompt(core, caller, id, body), body.stars),
      })),
  }),
];

function presentPrompt({ id, title, body, model, category, score, author }: Prompt) {
  return { id, title, body, model, category, score, author };
}

function presentDetail(prompt: Prompt, stars: number | undefined) {
  const { version, note, ratings, createdAt, revisedAt, hiddenAt } = prompt;
  return {
    ...presentPrompt(prompt),
    version,
    note,
    ratings,
    created_at: isoTime(createdAt),
    revised_at: revisedAt === null ? null : isoTime(revisedAt),
    stars: stars ?? null,
    hidden: hiddenAt !== null,
  };
}

function presentVersion({ number, note, ratings, title, body, model, score, createdAt }: PromptVersion) {
  return { version: number, note, ratings, title, body, model, score, created_at: isoTime(createdAt) };
}
