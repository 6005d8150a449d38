import type { Picture } from "../core/community/media/media.ts";
import { placePictures } from "../core/community/media/placement.ts";
import { mentionsOf } from "../core/community/mentions/mentions.ts";
import { type Rendering, renderMarkdown } from "../core/base/markdown.ts";
import { renderPlainText } from "../core/base/names.ts";
import { isSpent, yieldToEvents } from "../http/scheduler.ts";
import type { GraphContext } from "./context.ts";
import type { AnswerSize } from "./answer-size.ts";

/**
 * Renders a Markdown field as HTML. Pauses before rendering if the time slice is used up, because a batch can
 * resolve a hundred texts at once. Several aliases of one field render the text only once. If the response
 * was stopped, returns an empty text.
 */
export async function renderedHtml(
  { size }: Pick<GraphContext, "size">,
  text: string | Promise<string>,
  options: Rendering,
): Promise<string> {
  const markdown = await text;
  return renderOnce(size, `${options.id} ${markdown}`, () => renderMarkdown(markdown, options));
}

/**
 * Same as `renderedHtml`, with links for mentions of members. One query reads the current usernames for all
 * texts.
 */
export async function mentionsHtml(
  context: GraphContext,
  { id, text, pictures = [] }: Talk,
): Promise<string> {
  const names = await namesIn(context, { id, text });
  const { pictureOf } = placePictures(pictures);
  return renderedHtml(context, text, { id, nameOf: (name) => names?.get(name), pictureOf });
}

/** Same as `mentionsHtml`, for preformatted text. */
export async function sampleHtml(context: GraphContext, { id, text }: Talk): Promise<string> {
  const names = await namesIn(context, { id, text });
  return renderOnce(context.size, `${id} as it stands`, () =>
    renderPlainText(text, (name) => names?.get(name)),
  );
}

interface Talk {
  id: string;
  text: string;
  /** Uploaded pictures that the text may show. */
  pictures?: readonly Picture[];
}

function namesIn({ core, batch }: GraphContext, { id, text }: Talk) {
  return text.includes("@") ? batch("mentions", id, (ids) => mentionsOf(core, ids)) : undefined;
}

function renderOnce(size: AnswerSize, key: string, render: () => string): Promise<string> {
  const html = size.rendered.get(key) ?? renderFor(size, render);
  size.rendered.set(key, html);
  return html;
}

async function renderFor(size: AnswerSize, render: () => string): Promise<string> {
  if (isSpent()) await yieldToEvents();
  return size.stopReason ? "" : render();
}
