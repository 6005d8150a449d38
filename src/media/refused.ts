/** Refusals that depend on the bytes. Each is a code of the core's catalogue. */
export type PictureFault =
  | "picture_unknown"
  | "picture_heic"
  | "picture_svg"
  | "picture_damaged"
  | "picture_too_large"
  | "picture_too_costly";

/** The file is not a picture that this program can show. */
export class PictureRefused extends Error {
  override name = "PictureRefused";

  constructor(readonly fault: PictureFault) {
    super(fault);
  }
}

export function damaged(): PictureRefused {
  return new PictureRefused("picture_damaged");
}
