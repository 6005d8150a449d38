/** Reasons to refuse a picture because of its bytes. Each reason is a code in the core's catalogue. */
export type PictureFault =
  | "picture_unknown"
  | "picture_heic"
  | "picture_svg"
  | "picture_damaged"
  | "picture_too_large"
  | "picture_too_costly";

/** The file is not a picture that this program can re-encode. */
export class PictureRefused extends Error {
  override name = "PictureRefused";

  constructor(readonly fault: PictureFault) {
    super(fault);
  }
}

export function damaged(): PictureRefused {
  return new PictureRefused("picture_damaged");
}
