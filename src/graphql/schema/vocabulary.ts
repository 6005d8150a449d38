import {
  categoriesInUse,
  citiesInUse,
  modelsInUse,
  stacksInUse,
  tagsInUse,
  VOCABULARY,
  type ValueInUse,
} from "../../core/services/vocabulary/vocabulary.ts";
import { builder } from "../builder.ts";
import type { GraphContext } from "../context.ts";

const THINGS = VOCABULARY.itemsMax.toLocaleString("en-US");

const WordRef = builder.objectRef<ValueInUse>("WordInUse").implement({
  description: "A word to filter by, and how often it is used.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "The word, as a slug." }),
    count: t.exposeInt("count", {
      description: "The number of posts, jobs, or prompts that use the word, among those that were counted.",
    }),
  }),
});

builder.queryFields((t) => {
  const words = (
    of: string,
    scope: string,
    read: (core: GraphContext["core"], caller: GraphContext["caller"]) => ValueInUse[],
  ) =>
    t.field({
      type: [WordRef],
      nullable: true,
      description: `${of}, most used first. At most ${VOCABULARY.valuesMax} are returned. Requires the \`${scope}\` scope.`,
      resolve: (_root, _, { core, caller }) => read(core, caller),
    });
  return {
    tags: words(`The tags of the newest ${THINGS} posts in the feed`, "feed:read", tagsInUse),
    stacks: words(`The stacks of the newest ${THINGS} jobs on the board`, "jobs:read", stacksInUse),
    cities: words(`The cities of the newest ${THINGS} jobs on the board`, "jobs:read", citiesInUse),
    models: words(`The models of the best ${THINGS} prompts`, "prompts:read", modelsInUse),
    categories: words(`The categories of the best ${THINGS} prompts`, "prompts:read", categoriesInUse),
  };
});
