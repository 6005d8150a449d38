import { admitMedia, createMedia, MediaDraft } from "../../core/community/media/media.ts";
import { shopOf } from "../../core/community/media/shop.ts";
import { check } from "../../core/ground/check.ts";
import { field } from "./forms.ts";
import type { PersonAsk } from "./route.ts";

/** The connection is silent while a picture waits for its turn and is drawn. */
export const DRAWN_WITHIN_SECONDS = 240;

/**
 * Draws the picture that came with a form, beside the requests; undefined where none did. What is given makes it the
 * person's own: call it in the transaction of what shows it, and it gives its id. Throws what `admitMedia` does, and
 * unprocessable for what is no picture.
 */
export async function drawSent(ask: PersonAsk): Promise<(() => string) | undefined> {
  const { core, file, form, person, context } = ask;
  if (!file) return undefined;
  const draft = check(MediaDraft, { alt: field(form, "alt") });
  admitMedia(core, person.caller);
  context.keepOpen(DRAWN_WITHIN_SECONDS);
  const drawn = await shopOf(core).draw(file, person.caller.builderId);
  return () => createMedia(core, person.caller, drawn, draft).id;
}
