import { type Rendering, renderMarkdown } from "../core/ground/markdown.ts";
import { isSpent, rest } from "../http/pace.ts";
import type { GraphContext } from "./context.ts";
import type { AnswerSize } from "./size.ts";

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
  const key = `${options.id} ${markdown}`;
  const html = size.made.get(key) ?? rendered(size, markdown, options);
  size.made.set(key, html);
  return html;
}

async function rendered(size: AnswerSize, markdown: string, options: Rendering): Promise<string> {
  if (isSpent()) await rest();
  return size.over ? "" : renderMarkdown(markdown, options);
}
