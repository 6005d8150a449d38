/** A native part that the binary holds: where it is to be read, and the SHA-256 of its bytes in hex. */
export interface EmbeddedFile {
  path: string;
  sha256: string;
}

/**
 * None in a checkout, where the driver finds its own; the build puts another file in the place of this one.
 */
export const EMBEDDED: EmbeddedFile | undefined = undefined;
