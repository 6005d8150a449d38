import { admitMedia, createMedia, MediaDraft, MediaView } from "../core/community/media/media.ts";
import { area, upload } from "./operation.ts";

export const mediaOperations = area("Feed", {
  sendMedia: upload({
    route: "POST /media",
    summary: "Upload an image",
    description:
      "Takes a JPEG, PNG, WebP, or GIF of at most 40 megapixels and 16 MiB. The format is read from the content, not from the filename. The server turns the image upright, re-encodes it in several sizes, and drops everything else in the file. To show the image, put its `id` in the `media` of a post or reply. Until a post shows the image, only you can open its URL, with your session or with a token that has `feed:read`. An image that no post shows within a day is deleted. Any other image is deleted with the last post that shows it.",
    restDescription:
      "Send a `multipart/form-data` body with `file` and `alt`. GraphQL clients also upload images here.",
    scope: "media:write",
    draft: MediaDraft,
    view: MediaView,
    responseDescription: "The image",
    admit: ({ core, caller }) => void admitMedia(core, caller),
    run: ({ core, caller, draft, encodedSizes }) => createMedia(core, caller, encodedSizes, draft),
    locationOf: ({ url }) => new URL(url).pathname,
  }),
});
