/** The search over everything, and its box on every page. */
export const search = {
  title: "Search",
  everything: "Search everything",
  here: "Search here",
  example: "Words, “phrases”, tag:rust, author:ada",
  find: "Search",
  kinds: "What to show",
  all: "Everything",
  kind: { post: "Posts", job: "Jobs", prompt: "Prompts", builder: "Builders" },
  one: { post: "Post", reply: "Reply", job: "Job", prompt: "Prompt", builder: "Builder" },
  by: (username: string) => `@${username}`,
  conversation: "In a conversation",
  more: { post: "More posts", job: "More jobs", prompt: "More prompts", builder: "More builders" },
  further: "Further results",
  nothing: "Nothing found",
  nothingLead: "Try fewer words, or the beginning of one with a star behind it.",
  ask: "What are you looking for?",
  askLead:
    "Words are looked for in posts, replies, jobs and prompts, all of them together. “Quotes” keep words together, a star stands for the rest of a word: compil*. tag:rust, author:ada, after:2026-01-01 and before:2026-07 narrow it.",
};
