/** A fault that somebody could make, and that a test has to find. */
export interface Fault {
  /** Under src/. */
  file: string;
  /** Stands there exactly once. */
  text: string;
  /** What stands there instead. */
  fault: string;
  /** Under tests/, by the name without what tells their tier; one of them has to fail. */
  tests: readonly string[];
  /** Of long files, only the tests whose names match. */
  named?: string;
  /** What it would let happen. */
  why: string;
}
