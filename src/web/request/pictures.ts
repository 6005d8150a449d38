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
import type { PageAnswer, PageAsk, PersonAsk } from "./route.ts";

/** How long a connection may be idle while a picture is queued and encoded. */
export const ENCODING_SECONDS = 240;

/** The field that carries the id of a picture from one page of a form to the next. */
export const PICTURE_FIELD = "picture";

/**
 * Handles a form that may bring a picture. The picture is kept first: `view` shows the form again with it, as a preview
 * or with what the core refused. `work` finds its id with `pictureIdsIn`.
 */
export function withPicture(
  view: (ask: PersonAsk, error?: CoreError) => PageAnswer,
  work: (ask: PersonAsk) => Promise<PageAnswer>,
): (ask: PersonAsk) => Promise<PageAnswer> {
  return (ask) =>
    showAgainOnError(
      async () => {
        await keepSent(ask);
        return isPreview(ask.form) ? view(ask) : await work(ask);
      },
      (error) => view(ask, error),
    );
}

/** The id of the picture that a form carries, as a list of at most one. */
export function pictureIdsIn({ form }: PageAsk): string[] {
  const id = field(form, PICTURE_FIELD);
  return id === "" || form.getAll("drop").includes(id) ? [] : [id];
}

/** The picture that a form carries; undefined for none, and for one that is not the person's or is gone. */
export function formPicture(ask: PageAsk): Picture | undefined {
  const { core, person } = ask;
  const [id] = pictureIdsIn(ask);
  return id === undefined || !person ? undefined : findOwnPicture(core, person.caller.builderId, id);
}

/** A new file replaces the picture that the form carried; the description belongs to whichever it carries then. */
async function keepSent(ask: PersonAsk): Promise<void> {
  const { core, form, person } = ask;
  const keep = await encodeUpload(ask);
  if (keep) return form.set(PICTURE_FIELD, await ask.write(keep));
  const carried = formPicture(ask);
  const draft = altOf(ask);
  if (carried && carried.alt !== draft.alt)
    await ask.write(() => describeMedia(core, person.caller, carried.id, draft));
}

/**
 * Draws the picture that came with a form, beside the requests; undefined where none did. What is given makes it the
 * person's own: call it in a transaction, and it gives its id. Throws what `admitMedia` does, and unprocessable for
 * what is no picture.
 */
export async function encodeUpload(ask: PersonAsk): Promise<(() => string) | undefined> {
  const { core, file, person, context } = ask;
  if (!file) return undefined;
  const draft = altOf(ask);
  admitMedia(core, person.caller);
  context.keepOpen(ENCODING_SECONDS);
  const drawn = await pictureStorageOf(core).draw(file, person.caller.builderId);
  return () => createMedia(core, person.caller, drawn, draft).id;
}

function altOf({ form }: PageAsk): MediaDraft {
  return readDraft(MediaDraft, form, { alt: field(form, "alt") });
}
