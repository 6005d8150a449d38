/** The text of a licence, and all that stands under it. */
export interface LicenceText {
  of: readonly string[];
  text: string;
}

/** None in a checkout; the build puts another file in the place of this one. */
export const LICENCE_TEXTS: readonly LicenceText[] | undefined = undefined;
