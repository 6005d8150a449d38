import { admitMedia, createMedia, MediaDraft, MediaView } from "../core/community/media/media.ts";
import { area, upload } from "./operation.ts";

export const mediaOperations = area("Feed", {
  sendMedia: upload({
    at: "POST /media",
    summary: "Upload an image",
    description:
      "Takes a JPEG, PNG, WebP, or GIF of at most 40 megapixels and 16 MiB. The format is read from the content, not from the filename. The image is turned upright, re-encoded in several sizes, and stripped of everything else in the file. To show the image, put its `id` in the `media` of a post or reply. Until then only you can open its URL, with your session or with a token that has `feed:read`. An image that no post ever shows is deleted after a day. Any other image is deleted with the last post that shows it.",
    restDescription:
      "Send a `multipart/form-data` body with `file` and `alt`. GraphQL clients upload images here, too.",
    scope: "media:write",
    draft: MediaDraft,
    view: MediaView,
    gives: "The image",
    admit: ({ core, caller }) => void admitMedia(core, caller),
    run: ({ core, caller, draft, drawn }) => createMedia(core, caller, drawn, draft),
    place: ({ url }) => new URL(url).pathname,
  }),
});
