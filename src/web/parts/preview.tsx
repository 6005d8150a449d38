/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import type { Picture } from "../../core/community/media/media.ts";
import { placePictures } from "../../core/community/media/placement.ts";
import { previewNames } from "../../core/community/mentions/mentions.ts";
import { renderMarkdown } from "../../core/base/markdown.ts";
import { renderSample } from "../../core/base/names.ts";
import { isPreview, prose } from "../request/forms.ts";
import type { PageContext } from "../request/route.ts";
import { Button } from "./parts.tsx";
import { toLocalUrls, Pictures } from "./pictures.tsx";

/** Where a browser puts the focus without a script (HTML §6.6.7). */
const FIRST = { autofocus: true };

/** No text is longer; what is would be refused, and is not drawn first. */
const LONGEST = 20_000;

/**
 * How what was typed will look, where a form came back for that; it is shown to whoever sent it alone. A
 * browser begins to read there.
 */
export function Preview({
  ctx,
  name = "text",
  below = 2,
  isSample = false,
  namesPeople = true,
  pictures = [],
}: {
  ctx: PageContext;
  /** The field. */
  name?: string;
  /** The options of the renderer. */
  below?: number;
  /** Whether it is shown verbatim. */
  isSample?: boolean;
  /** Whether mentions are links. */
  namesPeople?: boolean;
  /** Shown in the text that names them, else below it. */
  pictures?: readonly Picture[];
}) {
  const text = prose(ctx.form, name).slice(0, LONGEST);
  if (!isPreview(ctx.form) || (text.trim() === "" && pictures.length === 0)) return "";
  const { title, lead } = ctx.words.common.preview;
  const nameOf = namesPeople ? previewNames(ctx.core, text, isSample) : undefined;
  const { pictureOf, left } = placePictures(pictures, toLocalUrls(ctx));
  const html = isSample ? "" : renderMarkdown(text, { below, id: "preview-of", nameOf, pictureOf });
  return (
    <section class="preview" id="preview" tabindex="-1" aria-labelledby="preview-title" {...FIRST}>
      <h2 id="preview-title">{title}</h2>
      <p class="hint">{lead}</p>
      {/* Made safe by the renderers. */}
      {isSample ? (
        <pre class="sample" dir="auto" tabindex="0">
          {renderSample(text, nameOf)}
        </pre>
      ) : (
        <div class="prose" dir="auto">
          {html}
        </div>
      )}
      <Pictures ctx={ctx} pictures={left()} />
    </section>
  );
}

/** The buttons of a form with a preview. */
export function SubmitOrPreview({ ctx, children }: PropsWithChildren<{ ctx: PageContext }>) {
  return (
    <div class="actions">
      <Button>{children}</Button>
      <PreviewButton ctx={ctx} />
    </div>
  );
}

/** It comes after the submit button, which Enter presses. Missing fields do not stop a preview. */
export function PreviewButton({ ctx }: { ctx: PageContext }) {
  return (
    <button class="button quiet" name="preview" value="1" formnovalidate>
      {ctx.words.common.preview.button}
    </button>
  );
}
