/** A native module in the binary: its path, and the SHA-256 of its bytes in hex. */
export interface EmbeddedFile {
  path: string;
  sha256: string;
}

/** Undefined in a checkout, where the driver finds its own module. The build replaces this file. */
export const EMBEDDED: EmbeddedFile | undefined = undefined;
