/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import type { Picture } from "../../core/community/media/media.ts";
import { placePictures } from "../../core/community/media/placement.ts";
import { previewNames } from "../../core/community/mentions/mentions.ts";
import { renderMarkdown } from "../../core/base/markdown.ts";
import { renderPlainText } from "../../core/base/names.ts";
import { isPreview, prose } from "../request/forms.ts";
import type { PageContext } from "../request/route.ts";
import { Button } from "./parts.tsx";
import { toLocalUrls, Pictures } from "./pictures.tsx";

/** Browsers focus this element without a script (HTML §6.6.7). */
const FIRST = { autofocus: true };

/** Maximum length of the previewed text. The core rejects longer texts, so their preview is cut. */
const LONGEST = 20_000;

/**
 * The preview of a typed text, if the form asks for a preview. Only the sender sees the preview. It gets the
 * focus.
 */
export function Preview({
  ctx,
  name = "text",
  below = 2,
  isSample = false,
  hasMentions = true,
  pictures = [],
}: {
  ctx: PageContext;
  /** The name of the field. */
  name?: string;
  /** The heading level above the text, for the renderer. */
  below?: number;
  /** Whether the text is shown verbatim. */
  isSample?: boolean;
  /** Whether mentions become links. */
  hasMentions?: boolean;
  /** The pictures to preview. They are shown in the text if the text names them, otherwise below it. */
  pictures?: readonly Picture[];
}) {
  const text = prose(ctx.form, name).slice(0, LONGEST);
  if (!isPreview(ctx.form) || (text.trim() === "" && pictures.length === 0)) return "";
  const { title, lead } = ctx.messages.common.preview;
  const nameOf = hasMentions ? previewNames(ctx.core, text, isSample) : undefined;
  const { pictureOf, unplaced } = placePictures(pictures, toLocalUrls(ctx));
  const html = isSample ? "" : renderMarkdown(text, { below, id: "preview-of", nameOf, pictureOf });
  return (
    <section class="preview" id="preview" tabindex="-1" aria-labelledby="preview-title" {...FIRST}>
      <h2 id="preview-title">{title}</h2>
      <p class="hint">{lead}</p>
      {/* The renderers have sanitized this HTML. */}
      {isSample ? (
        <pre class="sample" dir="auto" tabindex="0">
          {renderPlainText(text, nameOf)}
        </pre>
      ) : (
        <div class="prose" dir="auto">
          {html}
        </div>
      )}
      <Pictures ctx={ctx} pictures={unplaced()} />
    </section>
  );
}

/** The buttons of a form with a preview. `canClose`: the script opened the form, and closes it. */
export function SubmitOrPreview({
  ctx,
  canClose = false,
  children,
}: PropsWithChildren<{ ctx: PageContext; canClose?: boolean }>) {
  return (
    <div class="actions">
      <Button>{children}</Button>
      <PreviewButton ctx={ctx} />
      {canClose ? (
        <button type="button" class="link" data-close>
          {ctx.messages.common.keep}
        </button>
      ) : (
        ""
      )}
    </div>
  );
}

/**
 * Follows the submit button, because Enter presses the first button. Missing fields do not prevent a preview.
 */
export function PreviewButton({ ctx }: { ctx: PageContext }) {
  return (
    <button class="button quiet" name="preview" value="1" formnovalidate>
      {ctx.messages.common.preview.button}
    </button>
  );
}
