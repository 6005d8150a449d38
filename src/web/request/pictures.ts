import {
  admitMedia,
  createMedia,
  describeMedia,
  findOwnPicture,
  MediaDraft,
  type Picture,
} from "../../core/community/media/media.ts";
import { pictureStorageOf } from "../../core/community/media/picture-storage.ts";
import type { CoreError } from "../../core/base/errors.ts";
import { field, isPreview, showAgainOnError, readDraft } from "./forms.ts";
import type { PageAnswer, PageContext, PersonContext } from "./route.ts";

/** Longest silence of a connection, in seconds, while a picture is queued and encoded. */
export const ENCODING_SECONDS = 240;

/** The form field with the id of a picture, from one page of a form to the next. */
export const PICTURE_FIELD = "picture";

/**
 * Handles a form that may contain a picture. Stores the picture first. If `view` shows the form again, for a
 * preview or after a refusal, the form still has the picture. `work` reads the picture's id with
 * `pictureIdsIn`.
 */
export function withPicture(
  view: (ctx: PersonContext, error?: CoreError) => PageAnswer,
  work: (ctx: PersonContext) => Promise<PageAnswer>,
): (ctx: PersonContext) => Promise<PageAnswer> {
  return (ctx) =>
    showAgainOnError(
      async () => {
        await saveSentPicture(ctx);
        return isPreview(ctx.form) ? view(ctx) : await work(ctx);
      },
      (error) => view(ctx, error),
    );
}

/** Returns the id of the form's picture, as a list of at most one. */
export function pictureIdsIn({ form }: PageContext): string[] {
  const id = field(form, PICTURE_FIELD);
  return id === "" || form.getAll("drop").includes(id) ? [] : [id];
}

/**
 * Returns the form's picture. Undefined if the form has no picture, or if the picture was deleted or belongs
 * to another person.
 */
export function formPicture(ctx: PageContext): Picture | undefined {
  const { core, person } = ctx;
  const [id] = pictureIdsIn(ctx);
  return id === undefined || !person ? undefined : findOwnPicture(core, person.caller.builderId, id);
}

/** A new file replaces the form's picture. The description applies to the picture that the form then has. */
async function saveSentPicture(ctx: PersonContext): Promise<void> {
  const { core, form, person } = ctx;
  const keep = await encodeUpload(ctx);
  if (keep) return form.set(PICTURE_FIELD, await ctx.write(keep));
  const carried = formPicture(ctx);
  const draft = altOf(ctx);
  if (carried && carried.alt !== draft.alt)
    await ctx.write(() => describeMedia(core, person.caller, carried.id, draft));
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

function altOf({ form }: PageContext): MediaDraft {
  return readDraft(MediaDraft, form, { alt: field(form, "alt") });
}
