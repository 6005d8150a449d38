/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { MediaDraft, type Picture } from "../../core/community/media/media.ts";
import type { CoreError } from "../../core/base/errors.ts";
import type { PageContext } from "../request/route.ts";
import { formOf } from "./draft-form.tsx";
import { Field, FileField, Form, Submit } from "./parts.tsx";
import { altFieldOf, formPictures, PICTURE_FIELD } from "../request/pictures.ts";

/** The media types that the file picker offers. */
const PICTURES = "image/jpeg,image/png,image/webp,image/gif";

/** The displayed width of pictures, for `srcset`. The JSX types lack `sizes`. */
const SIZES: object = { sizes: "(max-width: 44rem) 92vw, 40rem" };

type PictureContext = Pick<PageContext, "messages"> & { core: Pick<PageContext["core"], "origin"> };

/**
 * Pictures in a text. Each links to its largest size. The links are relative, so they work under another host
 * name of the server.
 */
export function Pictures({ ctx, pictures }: { ctx: PictureContext; pictures: readonly Picture[] }) {
  if (pictures.length === 0) return "";
  const toLocal = toLocalUrls(ctx);
  return (
    <div class="pictures">
      {pictures.map(({ url, srcset, width, height, alt }) => (
        <a href={toLocal(url)} aria-label={alt === "" ? ctx.messages.feed.card.picture : undefined}>
          <img
            src={toLocal(url)}
            srcset={toLocal(srcset)}
            {...SIZES}
            {...displaySizeOf(width, height)}
            alt={alt}
            loading="lazy"
            decoding="async"
          />
        </a>
      ))}
    </div>
  );
}

/** Largest displayed height of a picture, in CSS pixels. */
const HIGHEST = 544;

/** Returns the size of a picture on the page. It is reserved before loading, so that nothing below moves. */
function displaySizeOf(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, HIGHEST / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.round(height * scale) };
}

/** Returns a function that makes our URLs relative, because a page may be opened under another host name. */
export function toLocalUrls({
  core: { origin },
}: Pick<PictureContext, "core">): (addresses: string) => string {
  return (addresses) => addresses.replaceAll(origin, "");
}

/** Thumbnails of the pictures in a form, each with a checkbox to remove it. */
export function AttachedPictures({
  ctx,
  title,
  pictures,
}: {
  ctx: PageContext;
  title: string;
  pictures: readonly Picture[];
}) {
  if (pictures.length === 0) return "";
  const messages = ctx.messages.feed.edit.pictures;
  const toLocal = toLocalUrls(ctx);
  const dropped = new Set(ctx.form.getAll("drop"));
  return (
    <fieldset class="kept-pictures">
      <legend>{title}</legend>
      {pictures.map(({ id, url, srcset, alt }) => (
        <label class="choice">
          <img src={toLocal(srcset.split(" ")[0] ?? url)} alt={alt || messages.unnamed} loading="lazy" />
          <input type="checkbox" name="drop" value={id} checked={dropped.has(id)} />
          <span>{messages.drop}</span>
        </label>
      ))}
    </fieldset>
  );
}

/**
 * The pictures of a form, and the fields for one more. They are last in their form, with the file after the
 * description. `readTexts` reads the texts of a rejected form only up to its file. The page script uploads
 * files at once, so the description of the next picture is only for forms without a script.
 */
export function PictureFields({ ctx, error }: { ctx: PageContext; error: CoreError | undefined }) {
  const messages = ctx.messages.feed.composer;
  const { Field } = formOf(ctx, MediaDraft, { messages, error });
  const carried = formPictures(ctx);
  return (
    <div class="picture-fields">
      <SentPictures ctx={ctx} error={error} />
      <div class="unscripted">
        <Field name="alt" />
      </div>
      <PictureFile
        ctx={ctx}
        error={error}
        label={carried.length > 0 ? messages.another : messages.file}
        hint={messages.fileHint}
      />
      <p class="hint scripted">{messages.drop}</p>
    </div>
  );
}

/** The pictures that a form has, each with its description and a way to remove it. */
export function SentPictures({ ctx, error }: { ctx: PageContext; error: CoreError | undefined }) {
  const messages = ctx.messages.feed.composer;
  const toLocal = toLocalUrls(ctx);
  return (
    <ul class="sent-pictures" aria-label={messages.carried}>
      {formPictures(ctx).map(({ id, url, srcset, alt }) => (
        <li>
          <input type="hidden" name={PICTURE_FIELD} value={id} />
          <img src={toLocal(srcset.split(" ")[0] ?? url)} alt="" />
          <Field
            name={altFieldOf(id)}
            label={messages.alt}
            hint={messages.altHint}
            value={ctx.form.get(altFieldOf(id)) ?? alt}
            ctx={ctx}
            error={error}
          />
          {/* A submit button would be the first of the form, so Enter would press it. */}
          <button class="button quiet scripted" type="button" data-remove>
            {ctx.messages.feed.edit.pictures.drop}
          </button>
          <label class="choice unscripted">
            <input type="checkbox" name="drop" value={id} />
            <span>{ctx.messages.feed.edit.pictures.drop}</span>
          </label>
        </li>
      ))}
    </ul>
  );
}

function PictureFile(props: { ctx: PageContext; error: CoreError | undefined; label: string; hint: string }) {
  return <FileField name="file" accept={PICTURES} {...props} />;
}

/**
 * The forms that replace and remove the picture of a member or the community. `children` show the picture.
 */
export function PictureForm({
  ctx,
  id,
  action,
  messages,
  label,
  removal,
  error,
  children,
}: PropsWithChildren<{
  ctx: PageContext;
  id: string;
  action: string;
  messages: { title: string; file: string; fileHint: string; save: string };
  label?: string;
  /** The button that removes the picture, if there is one. */
  removal: JSX.Element | undefined;
  error: CoreError | undefined;
}>) {
  return (
    <section class="part stack" id={id}>
      <h2>{messages.title}</h2>
      {children}
      <Form action={action} ctx={ctx} error={error} kind="stack" hasFile label={label}>
        <PictureFile ctx={ctx} error={error} label={messages.file} hint={messages.fileHint} />
        <Submit>{messages.save}</Submit>
      </Form>
      {removal === undefined ? (
        ""
      ) : (
        <Form action={`${action}/remove`} ctx={ctx} kind="inline">
          {removal}
        </Form>
      )}
    </section>
  );
}
