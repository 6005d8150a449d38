import {
  getPrompts,
  getPrompt,
  promptAbilities,
  PromptReaderView,
  PromptView,
} from "../../core/community/prompts/prompts.ts";
import { starsAmong } from "../../core/community/prompts/ratings.ts";
import { listVersionsOf, type PromptVersion, VersionView } from "../../core/community/prompts/versions.ts";
import { descriptionOf } from "../../core/base/view.ts";
import { promptOperations } from "../../operations/prompts.ts";
import { batchedConnection } from "../connection.ts";
import { sampleHtml } from "../rendered-text.ts";
import { DELETED_PAYLOAD, mutationOf } from "../mutation.ts";
import { output } from "../outputs.ts";
import { queryOf } from "../query.ts";
import { BuilderRef, connectionOf, node, PromptConnection, PromptRef } from "./refs.ts";

const Version = output<PromptVersion>(
  "PromptVersion",
  VersionView,
  "One version of a prompt, with its own ratings.",
);
const VersionConnection = connectionOf(Version, "PromptVersion", "versions");

node(PromptRef, {
  description: "A prompt in the library, in its current version.",
  kind: "prompt",
  many: getPrompts,
  view: PromptView,
  fields: (t) => {
    const can = (ability: keyof ReturnType<typeof promptAbilities>, description: string) =>
      t.boolean({
        description,
        resolve: (prompt, _, { caller }) => promptAbilities(caller, prompt)[ability],
      });
    return {
      bodyHtml: t.string({
        description:
          "The text as safe HTML, as shown on the web pages. The text has no formatting, and mentions are links.",
        resolve: ({ id, body }, _, context) => sampleHtml(context, { id, text: body }),
      }),
      url: t.string({
        description: "The URL of the prompt's page.",
        resolve: ({ id }, _, { core }) => `${core.origin}/prompts/${id}`,
      }),
      viewerCanRate: can(
        "rate",
        "Whether you may rate the prompt. `true` if another builder wrote it and your token has `prompts:write`.",
      ),
      viewerCanRevise: can(
        "revise",
        "Whether you may publish a new version. `true` if it is your prompt and your token has `prompts:write`.",
      ),
      viewerCanDelete: can(
        "delete",
        "Whether you may delete the prompt. `true` if it is your prompt and your token has `prompts:write`.",
      ),
      viewerCanModerate: can("moderate", "Whether you may hide the prompt and show it again."),
      author: t.field({
        type: BuilderRef,
        description: "The author.",
        resolve: ({ authorId, author }) => ({ id: authorId, username: author.username }),
      }),
      stars: t.int({
        nullable: true,
        description: descriptionOf(PromptReaderView.properties.stars),
        resolve: ({ id }, _, { core, caller, batch }) =>
          batch("stars", id, (ids) => starsAmong(core, caller, ids)),
      }),
      hidden: t.boolean({
        description: descriptionOf(PromptReaderView.properties.hidden),
        resolve: ({ hiddenAt }) => hiddenAt !== null,
      }),
      versions: t.field({
        type: VersionConnection,
        description: "All versions, the current version first.",
        args: t.arg.connectionArgs(),
        resolve: ({ id }, args, { core, caller, batch }) =>
          batchedConnection(batch, "versions", id, args, (ids, request) =>
            listVersionsOf(core, caller, ids, request),
          ),
      }),
    };
  },
});

queryOf("prompts", promptOperations.listPrompts, PromptConnection);
queryOf("prompt", promptOperations.getPrompt, PromptRef, ({ core, caller, id }) =>
  getPrompt(core, caller, id),
);

const { submitPrompt, revisePrompt, ratePrompt, deletePrompt } = promptOperations;
const AS_IT_IS = { payload: { prompt: { type: PromptRef, description: "The prompt." } } };

mutationOf(submitPrompt, AS_IT_IS);
mutationOf(revisePrompt, AS_IT_IS);
mutationOf(ratePrompt, AS_IT_IS);
mutationOf(deletePrompt, DELETED_PAYLOAD);
