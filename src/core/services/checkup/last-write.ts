import type { Db } from "../../base/db/open.ts";
import { getSetting } from "../../base/db/settings.ts";
import type { Mark } from "../../outbox/deliveries/monotonic-time.ts";
import { selectNewest } from "./last-write-store.ts";

/** Information in a database about the clock of the server that wrote it. Times are in ms since the epoch. */
export interface LastWrite {
  /** The newest stored time; undefined for an empty community that no server has served yet. */
  last: number | undefined;
  /**
   * How far the steady time is ahead of the wall clock, in ms. This difference is the sum of all times by
   * which the clock was set back.
   */
  aheadMs: number;
}

export function lastWriteOf(db: Db): LastWrite {
  const text = getSetting({ db }, "steady-time");
  const mark = text === undefined ? undefined : (JSON.parse(text) as Mark);
  const moments = [mark?.wall, selectNewest(db)].filter((each) => each !== undefined);
  return {
    last: moments.length > 0 ? Math.max(...moments) : undefined,
    aheadMs: mark ? mark.steady - mark.wall : 0,
  };
}
