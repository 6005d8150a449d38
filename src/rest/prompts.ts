import { Type } from "@sinclair/typebox";
import { Slug } from "../core/check.ts";
import { listPrompts, type Prompt } from "../core/prompts/prompts.ts";
import { operation } from "./operation.ts";
import { pageParameters, PageOf, pageRequest, presentPage } from "./page.ts";

const PromptItem = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    body: Type.String(),
    model: Type.String({ description: "Model slug." }),
    category: Type.String({ description: "Category slug." }),
    score: Type.Number({
      minimum: 0,
      maximum: 5,
      description: "Mean of the ratings 1 to 5, two decimals; 0 with none.",
    }),
    author: Type.Object({ username: Type.String() }),
  },
  { $id: "Prompt" },
);

const PromptsQuery = Type.Object({
  model: Type.Optional(Slug({ description: "Model slug.", examples: ["claude-sonnet"] })),
  category: Type.Optional(Slug({ description: "Category slug.", examples: ["code-review"] })),
  min_score: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 5,
      description: "Only prompts with at least this score.",
      examples: [4],
      rule: "must be a decimal number from 0 to 5",
    }),
  ),
  ...pageParameters,
});

export const promptOperations = [
  operation({
    id: "listPrompts",
    method: "GET",
    path: "/prompts",
    group: "Prompts",
    summary: "List the community's prompts, best first",
    description:
      "Ordered by the Bayesian mean of the ratings (five ratings of 3.0 as the prior), then newest first, so that one vote does not outrank forty.",
    scope: "prompts:read",
    query: PromptsQuery,
    answer: {
      status: 200,
      description: "One page of prompts",
      schema: PageOf("PromptPage", PromptItem),
      example: {
        data: [
          {
            id: "prompt_01kafzq8e5f2r8v0j3n6s1t4wx",
            title: "Review a diff like a maintainer",
            body: "You maintain this project and will live with this change for ten years …",
            model: "claude-sonnet",
            category: "code-review",
            score: 4.63,
            author: { username: "ada" },
          },
        ],
        next: null,
      },
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
];

function presentPrompt({ id, title, body, model, category, score, author }: Prompt) {
  return { id, title, body, model, category, score, author };
}
