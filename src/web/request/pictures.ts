import {
  admitMedia,
  createMedia,
  describeMedia,
  findOwnPicture,
  MEDIA_MAX,
  MediaDraft,
  type Picture,
} from "../../core/community/media/media.ts";
import { pictureStorageOf } from "../../core/community/media/picture-storage.ts";
import { CoreError, fault, refuseFields } from "../../core/base/errors.ts";
import { field, isPreview, showAgainOnError, readDraft } from "./forms.ts";
import type { PageAnswer, PageContext, PersonContext, View } from "./route.ts";

/** Longest silence of a connection, in seconds, while a picture is queued and encoded. */
export const ENCODING_SECONDS = 240;

/** The form field with the ids of pictures, from one page of a form to the next. */
export const PICTURE_FIELD = "picture";

/** Returns the name of the field with a picture's description. */
export function altFieldOf(id: string): string {
  return `alt.${id}`;
}

/**
 * Handles a form that may contain pictures. Stores a sent picture first. If `view` shows the form again, for
 * a preview or after a refusal, the form still has its pictures. `work` reads their ids with `pictureIdsIn`.
 * The page script sends the form to upload a picture, and `pictures` renders what it adds
 * (docs/contract.md#9.44).
 */
export function withPictures(
  view: (ctx: PersonContext, error?: CoreError) => View,
  pictures: (props: { ctx: PageContext; error: undefined }) => JSX.Element,
  work: (ctx: PersonContext) => Promise<PageAnswer>,
): (ctx: PersonContext) => Promise<PageAnswer> {
  return (ctx) =>
    showAgainOnError(
      async () => {
        await saveSentPicture(ctx);
        if (!isPreview(ctx.form)) return await work(ctx);
        return { ...view(ctx), fragment: () => pictures({ ctx, error: undefined }) };
      },
      (error) => view(ctx, error),
    );
}

/** Returns the ids of the form's pictures, without those to remove. */
export function pictureIdsIn({ form }: PageContext): string[] {
  const dropped = new Set(["", ...form.getAll("drop")]);
  return [...new Set(form.getAll(PICTURE_FIELD))].filter((id) => !dropped.has(id));
}

/** Returns the form's pictures, without those that were deleted or belong to another person. */
export function formPictures(ctx: PageContext): Picture[] {
  const { core, person } = ctx;
  if (!person) return [];
  return pictureIdsIn(ctx)
    .slice(0, MEDIA_MAX)
    .flatMap((id) => findOwnPicture(core, person.caller.builderId, id) ?? []);
}

/** Stores changed descriptions, then the sent picture. */
async function saveSentPicture(ctx: PersonContext): Promise<void> {
  const { core, form, person } = ctx;
  const carried = formPictures(ctx);
  const changed = carried.flatMap(({ id, alt }) => {
    const draft = altOf(ctx, altFieldOf(id));
    return form.has(altFieldOf(id)) && draft.alt !== alt ? [{ id, draft }] : [];
  });
  if (changed.length > 0)
    await ctx.write(() => {
      for (const { id, draft } of changed) describeMedia(core, person.caller, id, draft);
    });
  if (ctx.file && carried.length >= MEDIA_MAX)
    throw refuseFields([fault("file", "list_too_long", { max: MEDIA_MAX })]);
  const keep = await encodeUpload(ctx);
  if (!keep) return;
  form.append(PICTURE_FIELD, await ctx.write(keep));
  // The next picture gets its own description.
  form.delete("alt");
}

/**
 * Encodes the uploaded picture in the background. Returns undefined without a file. Otherwise returns a
 * function that stores the picture as the person's own and returns its id. Call that function in a
 * transaction. Throws what `admitMedia` throws, and unprocessable for a file that is not a picture.
 */
export async function encodeUpload(ctx: PersonContext): Promise<(() => string) | undefined> {
  const { core, file, person, context } = ctx;
  if (!file) return undefined;
  const draft = altOf(ctx);
  admitMedia(core, person.caller);
  context.keepOpen(ENCODING_SECONDS);
  const sizes = await pictureStorageOf(core).encode(file, person.caller.builderId);
  return () => createMedia(core, person.caller, sizes, draft).id;
}

/** Reads a description. Throws bad_request for the field of this name. */
function altOf({ form }: PageContext, name = "alt"): MediaDraft {
  try {
    return readDraft(MediaDraft, form, { alt: field(form, name) });
  } catch (error) {
    if (!(error instanceof CoreError) || name === "alt") throw error;
    throw refuseFields((error.details ?? []).map((detail) => ({ ...detail, path: name })));
  }
}
