import { admitMedia, createMedia, MediaDraft, MediaView } from "../core/community/media/media.ts";
import { area, upload } from "./operation.ts";

export const mediaOperations = area("Feed", {
  sendMedia: upload({
    at: "POST /media",
    summary: "Send a picture",
    description:
      "JPEG, PNG, WebP or GIF, of at most 40 megapixels and 16 MiB, by its bytes and not by its name. It is drawn anew in several sizes, upright and without what else was in the file, and is yours to show: name its `id` in the `media` of a post or reply. Until then its address opens for you alone: by your session, or by a token with `feed:read`. What no post shows is deleted after a day, and what one did with the last of them.",
    restDescription:
      "A form of several parts (`multipart/form-data`) with `file` and `alt`. Where a GraphQL client sends pictures, it does so here too.",
    scope: "media:write",
    draft: MediaDraft,
    view: MediaView,
    gives: "The picture",
    admit: ({ core, caller }) => void admitMedia(core, caller),
    run: ({ core, caller, draft, drawn }) => createMedia(core, caller, drawn, draft),
    place: ({ url }) => new URL(url).pathname,
  }),
});
