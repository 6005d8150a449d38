/**
 * Who reads a delivery log. A member's messages and matches are theirs alone, and so is that there were any: a delivery of an event that
 * is private to a builder is there for nobody else, not to be seen and not to be counted, also where endpoint and workspace are shared.
 */
export interface LogReader {
  workspaceId: string;
  builderId: string;
}

/** That rule, of an event `e`; takes the reader's `builderId`. */
export const MAY_READ = "(e.builder_id IS NULL OR e.builder_id = ?)";
