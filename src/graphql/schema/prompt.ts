import {
  getPrompt,
  listPrompts,
  promptAbilities,
  PromptDraft,
  PromptFilter,
  submitPrompt,
} from "../../core/community/prompts/prompts.ts";
import { RatingDraft, ratePrompt, starsAmong } from "../../core/community/prompts/ratings.ts";
import { deletePrompt } from "../../core/community/prompts/removal.ts";
import {
  listVersionsOf,
  type PromptVersion,
  revisePrompt,
  VersionDraft,
} from "../../core/community/prompts/versions.ts";
import { builder } from "../builder.ts";
import { type ConnectionArgs, listed, pageOf } from "../connection.ts";
import { fieldsOf, readFilter } from "../inputs.ts";
import { mutation } from "../mutation.ts";
import { BuilderRef, connectionOf, node, PromptConnection, PromptRef } from "./refs.ts";

const Version = builder.objectRef<PromptVersion>("PromptVersion").implement({
  description:
    "A prompt as it stood, or stands. Ratings belong to a version: what was rated is what was read.",
  fields: (t) => ({
    version: t.int({ description: "Its number, from 1 on.", resolve: ({ number }) => number }),
    title: t.exposeString("title", { description: "What it is for." }),
    body: t.exposeString("body", { description: "The prompt itself." }),
    model: t.exposeString("model", { description: "Model slug." }),
    note: t.exposeString("note", { description: "What changed with it; empty for the first." }),
    score: t.exposeFloat("score", { description: "Mean of its ratings 1 to 5, two decimals; 0 with none." }),
    ratings: t.exposeInt("ratings", { description: "How many it has." }),
    createdAt: t.field({
      type: "DateTime",
      description: "When it was made.",
      resolve: ({ createdAt }) => createdAt,
    }),
  }),
});

const VersionConnection = connectionOf(Version, "PromptVersion", "versions");

node(PromptRef, {
  description: "A prompt of the library, in its current version.",
  fields: (t) => {
    const can = (ability: keyof ReturnType<typeof promptAbilities>, description: string) =>
      t.boolean({
        description,
        resolve: (prompt, _, { caller }) => promptAbilities(caller, prompt)[ability],
      });
    return {
      title: t.exposeString("title", { description: "What it is for." }),
      body: t.exposeString("body", { description: "The prompt itself." }),
      model: t.exposeString("model", { description: "Model slug." }),
      category: t.exposeString("category", { description: "Category slug." }),
      url: t.string({
        description: "Its page.",
        resolve: ({ id }, _, { core }) => `${core.origin}/prompts/${id}`,
      }),
      viewerCanRate: can(
        "rate",
        "Whether you may rate it: it is somebody else's, and your token has `prompts:write`.",
      ),
      viewerCanRevise: can(
        "revise",
        "Whether you may make a new version: it is yours, and your token has `prompts:write`.",
      ),
      viewerCanDelete: can("delete", "Whether you may delete it: likewise."),
      viewerCanModerate: can("moderate", "Whether you may hide and restore it."),
      score: t.exposeFloat("score", {
        description: "Mean of the ratings 1 to 5, two decimals; 0 with none.",
      }),
      author: t.field({
        type: BuilderRef,
        description: "Whose it is.",
        resolve: ({ authorId, author }) => ({ id: authorId, username: author.username }),
      }),
      version: t.exposeInt("version", { description: "The number of the current version, from 1 on." }),
      note: t.exposeString("note", { description: "What changed with it; empty for the first." }),
      ratings: t.exposeInt("ratings", { description: "How many ratings the current version has." }),
      createdAt: t.field({
        type: "DateTime",
        description: "When it was submitted.",
        resolve: ({ createdAt }) => createdAt,
      }),
      revisedAt: t.field({
        type: "DateTime",
        nullable: true,
        description: "When the current version was made; null for a first one.",
        resolve: ({ revisedAt }) => revisedAt,
      }),
      stars: t.int({
        nullable: true,
        description: "Your own rating of the current version; null where you gave none.",
        resolve: ({ id }, _, { core, caller, batch }) =>
          batch("stars", id, (ids) => starsAmong(core, caller, ids)),
      }),
      hidden: t.boolean({
        description: "Whether moderators hide it: then only its author and they are shown it.",
        resolve: ({ hiddenAt }) => hiddenAt !== null,
      }),
      versions: t.field({
        type: VersionConnection,
        description: "All of them, the current one first.",
        args: t.arg.connectionArgs(),
        resolve: ({ id }, args, { core, caller, batch }) =>
          pageOf(batch, "versions", id, args, (ids, request) => listVersionsOf(core, caller, ids, request)),
      }),
    };
  },
});

builder.queryFields((t) => ({
  prompts: t.field({
    type: PromptConnection,
    nullable: true,
    description:
      "The community's prompts, best first (the Bayesian mean of their ratings), then newest. Needs `prompts:read`.",
    args: { ...t.arg.connectionArgs(), ...fieldsOf(t.arg, PromptFilter, "Prompts") },
    resolve: (_root, args, { core, caller }) =>
      listed(args as ConnectionArgs, (request) =>
        listPrompts(core, caller, readFilter(PromptFilter, args), request),
      ),
  }),
  prompt: t.field({
    type: PromptRef,
    nullable: true,
    description: "One prompt. Needs `prompts:read`. Refused as `not_found` where there is none to see.",
    args: { id: t.arg.id({ required: true, description: "Its identifier." }) },
    resolve: (_root, { id }, { core, caller }) => getPrompt(core, caller, id),
  }),
}));

const AS_IT_IS = { prompt: { type: PromptRef, description: "The prompt as it is now." } };

mutation("submitPrompt", {
  description: "Puts a prompt into the library. Needs `prompts:write`.",
  once: "prompts:write",
  draft: PromptDraft,
  payload: AS_IT_IS,
  run: ({ core, caller, draft, commit }) => commit(() => ({ prompt: submitPrompt(core, caller, draft) })),
});

mutation("revisePrompt", {
  description:
    "Makes a new version of your own prompt, not yet rated. What you leave out stays. Needs `prompts:write`.",
  once: "prompts:write",
  names: { id: "The prompt." },
  draft: VersionDraft,
  payload: AS_IT_IS,
  run: ({ core, caller, named, draft, commit }) =>
    commit(() => ({ prompt: revisePrompt(core, caller, named.id, draft) })),
});

mutation("ratePrompt", {
  description:
    "Rates the current version of somebody else's prompt, or changes your rating. Needs `prompts:write`.",
  names: { id: "The prompt." },
  draft: RatingDraft,
  payload: AS_IT_IS,
  run: ({ core, caller, named, draft, commit }) =>
    commit(() => ({ prompt: ratePrompt(core, caller, named.id, draft) })),
});

mutation("deletePrompt", {
  description: "Deletes a prompt of your own, with its versions and ratings. Needs `prompts:write`.",
  names: { id: "The prompt." },
  payload: { deletedId: { type: "ID", description: "What is gone." } },
  run: ({ core, caller, named, commit }) =>
    commit(() => {
      deletePrompt(core, caller, named.id);
      return { deletedId: named.id };
    }),
});
