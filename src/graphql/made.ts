import { renderMarkdown } from "../core/ground/markdown.ts";
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
): Promise<string> {
  const markdown = await text;
  const html = size.made.get(markdown) ?? rendered(size, markdown);
  size.made.set(markdown, html);
  return html;
}

async function rendered(size: AnswerSize, markdown: string): Promise<string> {
  if (isSpent()) await rest();
  return size.over ? "" : renderMarkdown(markdown);
}
