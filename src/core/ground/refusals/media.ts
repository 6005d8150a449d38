import type { Refusals } from "./refusals.ts";

/** What can be wrong with a picture that somebody sends. */
export const MEDIA = {
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
