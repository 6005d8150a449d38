/** A plausible fault that a test must find. */
export interface Fault {
  /** Path below src/. */
  file: string;
  /** Source text that occurs exactly once in the file. */
  text: string;
  /** Replacement for `text`. */
  fault: string;
  /** Test files below tests/, without the suffix of their tier. At least one of them must fail. */
  tests: readonly string[];
  /** Pattern of test titles, to run only some tests of a long file. */
  named?: string;
  /** Effect of the fault. */
  why: string;
}
