/** The text of a licence, and the packages under that licence. */
export interface LicenceText {
  of: readonly string[];
  text: string;
}

/** Undefined in a checkout. The build replaces this file. */
export const LICENCE_TEXTS: readonly LicenceText[] | undefined = undefined;
