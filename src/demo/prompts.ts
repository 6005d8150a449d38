import texts from "../../data/seed/prompts.json";
import { templates, type ItemTemplate } from "./templates.ts";
import type { Population } from "./builders.ts";
import { day, timeline } from "./clock.ts";
import type { DemoPrompt } from "./community.ts";
import { type Fill, vocabulary, template } from "./grammar.ts";
import { pick, type Random, randomFor } from "./random.ts";

/** The prompts of the last year, oldest first. Empty without builders. */
export function* demoPrompts(
  count: number,
  members: Population,
  seed: number,
  now: number,
): Generator<DemoPrompt> {
  if (members.size === 0) return;
  const timestampOf = timeline(count, now - 365 * day, now, seed, 51);
  const written = templates(recipes, words, seed, "prompts");
  for (let index = 0; index < count; index++) {
    const { frame, draw } = written(index);
    const random = randomFor(seed, 52, index);
    const createdAt = timestampOf(index);
    yield {
      author: members.speaker(random, createdAt),
      title: frame.title(draw),
      body: frame.body(draw).trim(),
      model: pick(random, texts.models),
      category: frame.category,
      ratings: ratings(random, Math.min(60, members.size - 1), (now - createdAt) / (90 * day)),
      createdAt,
    };
  }
}

interface Recipe extends ItemTemplate {
  category: string;
  title: Fill;
  body: Fill;
}

const words = vocabulary({ lang: texts.lang, reader: texts.reader, trade: texts.trade });

const recipes: Recipe[] = texts.prompt.map(({ category, title, body }) => {
  const head = template(words, title);
  const main = template(words, body);
  return { category, title: head.fill, body: main.fill, uses: new Map([...head.uses, ...main.uses]) };
});

/** Older prompts have more ratings. The ratings of a prompt vary around its own quality. */
function ratings(random: Random, limit: number, age: number): number[] {
  const interest = -Math.log(1 - random()) * 9 * Math.min(1, 0.2 + age);
  const quality = 3.1 + 1.7 * Math.sqrt(random());
  return Array.from({ length: Math.min(limit, Math.floor(interest)) }, () => {
    const opinion = quality + 1.8 * (random() + random() - 1);
    return Math.min(5, Math.max(1, Math.round(opinion)));
  });
}
