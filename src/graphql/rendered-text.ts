import type { Picture } from "../core/community/media/media.ts";
import { placePictures } from "../core/community/media/placement.ts";
import { mentionsOf } from "../core/community/mentions/mentions.ts";
import { type Rendering, renderMarkdown } from "../core/base/markdown.ts";
import { renderSample } from "../core/base/names.ts";
import { isSpent, yieldToEvents } from "../http/scheduler.ts";
import type { GraphContext } from "./context.ts";
import type { AnswerSize } from "./answer-size.ts";

/**
 * A text as HTML, for every field that is made from Markdown. A batch gives a hundred rows their texts in one
 * moment, behind the rest before their fields: so whoever makes something of a text rests after it has come.
 * Aliases of one field have it made once, and nothing is made for an answer that is over.
 */
export async function renderedHtml(
  { size }: Pick<GraphContext, "size">,
  text: string | Promise<string>,
  options: Rendering,
): Promise<string> {
  const markdown = await text;
  return renderOnce(size, `${options.id} ${markdown}`, () => renderMarkdown(markdown, options));
}

/** The same with links for mentions, by current usernames. One query reads the names of all texts. */
export async function mentionsHtml(
  context: GraphContext,
  { id, text, pictures = [] }: Talk,
): Promise<string> {
  const names = await namesIn(context, { id, text });
  const { pictureOf } = placePictures(pictures);
  return renderedHtml(context, text, { id, nameOf: (name) => names?.get(name), pictureOf });
}

/** The same for verbatim text. */
export async function sampleHtml(context: GraphContext, { id, text }: Talk): Promise<string> {
  const names = await namesIn(context, { id, text });
  return renderOnce(context.size, `${id} as it stands`, () => renderSample(text, (name) => names?.get(name)));
}

interface Talk {
  id: string;
  text: string;
  /** Those of ours that may stand in it. */
  pictures?: readonly Picture[];
}

function namesIn({ core, batch }: GraphContext, { id, text }: Talk) {
  return text.includes("@") ? batch("mentions", id, (ids) => mentionsOf(core, ids)) : undefined;
}

function renderOnce(size: AnswerSize, key: string, make: () => string): Promise<string> {
  const html = size.rendered.get(key) ?? makeIn(size, make);
  size.rendered.set(key, html);
  return html;
}

async function makeIn(size: AnswerSize, make: () => string): Promise<string> {
  if (isSpent()) await yieldToEvents();
  return size.over ? "" : make();
}
