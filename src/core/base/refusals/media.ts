import type { Refusals } from "./refusals.ts";

/** What can be wrong with a picture that somebody sends. */
export const MEDIA = {
  media_unknown: {
    error: "unprocessable",
    path: "media",
    says: "You have no picture with that id; send it anew, as what no post shows is deleted after a day.",
  },
  media_full: {
    error: "conflict",
    says: "There is no room for more pictures in this community; ask whoever runs it.",
  },
  media_unavailable: { error: "unavailable", says: "Pictures cannot be taken just now; try again later." },
  file_missing: {
    error: "bad_request",
    path: "file",
    says: "Send the picture itself as the field `file` of the form.",
  },
  upload_not_sent_as_form: {
    error: "bad_request",
    says: "Send the picture as a form of several parts, with `Content-Type: multipart/form-data` and its boundary.",
  },
  upload_malformed: {
    error: "bad_request",
    says: "Send one file, as the field `file`, and few and short fields beside it.",
  },
  upload_too_long: {
    error: "bad_request",
    path: "file",
    says: "This file is larger than {mib} MiB; make the picture smaller and send it again.",
  },
  upload_too_slow: {
    error: "bad_request",
    path: "file",
    says: "This file did not come within {minutes} minutes; make the picture smaller and send it again.",
  },
  uploads_too_many: {
    error: "rate_limited",
    says: "You are sending many pictures at once; wait {seconds:second} and send the next.",
  },
  uploads_too_many_of_all: {
    error: "rate_limited",
    says: "Many pictures are being sent just now; wait {seconds:second} and try again.",
  },
  picture_unknown: {
    error: "unprocessable",
    path: "file",
    says: "This is no picture that can be shown here; send it as JPEG, PNG, WebP or GIF.",
  },
  picture_heic: {
    error: "unprocessable",
    path: "file",
    says: "AVIF and HEIC cannot be read here; save the picture as JPEG or PNG and send that.",
  },
  picture_svg: {
    error: "unprocessable",
    path: "file",
    says: "An SVG can hold a program, so none is taken here; save it as PNG and send that.",
  },
  picture_damaged: {
    error: "unprocessable",
    path: "file",
    says: "This picture is cut off or damaged; open it where you have it, save it anew and send that.",
  },
  picture_too_large: {
    error: "unprocessable",
    path: "file",
    says: "This picture has more than 40 megapixels, or more than 16,383 pixels on one side; make it smaller and send it again.",
  },
  picture_too_costly: {
    error: "unprocessable",
    path: "file",
    says: "This picture takes too long to read; save it anew, smaller where you can, and send that.",
  },
} as const satisfies Refusals;
