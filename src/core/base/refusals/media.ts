import type { Refusals } from "./refusals.ts";

/** Refusals about uploaded pictures. */
export const MEDIA = {
  media_unknown: {
    error: "unprocessable",
    path: "media",
    says: "You have no image with that id. Upload the image again. Unused images are deleted after a day.",
  },
  media_full: {
    error: "conflict",
    says: "This community has no storage left for images. Ask the operator to add some.",
  },
  media_unavailable: { error: "unavailable", says: "Images cannot be uploaded right now. Try again later." },
  file_missing: {
    error: "bad_request",
    path: "file",
    says: "Send the image itself in the form field `file`.",
  },
  upload_not_sent_as_form: {
    error: "bad_request",
    says: "Send the image with `Content-Type: multipart/form-data` and its boundary.",
  },
  upload_malformed: {
    error: "bad_request",
    says: "Send one file in the field `file`. Add at most a few short fields.",
  },
  upload_too_long: {
    error: "bad_request",
    path: "file",
    says: "This file is larger than {mib} MiB. Make the image smaller and upload it again.",
  },
  upload_too_slow: {
    error: "bad_request",
    path: "file",
    says: "The upload took longer than {minutes:minute}. Make the image smaller and upload it again.",
  },
  uploads_too_many: {
    error: "rate_limited",
    says: "You are uploading too many images at once. Wait {seconds:second} and upload the next one.",
  },
  uploads_too_many_of_all: {
    error: "rate_limited",
    says: "Too many images are being uploaded right now. Wait {seconds:second} and try again.",
  },
  picture_unknown: {
    error: "unprocessable",
    path: "file",
    says: "This file is not a supported image. Upload a JPEG, PNG, WebP, or GIF.",
  },
  picture_heic: {
    error: "unprocessable",
    path: "file",
    says: "AVIF and HEIC are not supported. Save the image as JPEG or PNG and upload that.",
  },
  picture_svg: {
    error: "unprocessable",
    path: "file",
    says: "SVG is not supported, because it can contain programs. Save the image as PNG and upload that.",
  },
  picture_damaged: {
    error: "unprocessable",
    path: "file",
    says: "This image is incomplete or damaged. Open it, save it again, and upload the new file.",
  },
  picture_too_large: {
    error: "unprocessable",
    path: "file",
    says: "This image has more than 40 megapixels, or more than 16,383 pixels on one side. Make it smaller and upload it again.",
  },
  picture_too_costly: {
    error: "unprocessable",
    path: "file",
    says: "This image takes too long to process. Send a smaller image. The same file fails again.",
  },
} as const satisfies Refusals;
