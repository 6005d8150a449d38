/** The refusals that only a look at the bytes can come to; each is a code of the core's catalogue. */
export type PictureFault =
  | "picture_unknown"
  | "picture_heic"
  | "picture_svg"
  | "picture_damaged"
  | "picture_too_large"
  | "picture_too_costly";

/** What was sent is no picture that this program shows. */
export class PictureRefused extends Error {
  override name = "PictureRefused";

  constructor(readonly fault: PictureFault) {
    super(fault);
  }
}

export function damaged(): PictureRefused {
  return new PictureRefused("picture_damaged");
}
