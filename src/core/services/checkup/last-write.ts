import type { Db } from "../../base/db/open.ts";
import { getSetting } from "../../base/db/settings.ts";
import type { Mark } from "../../outbox/deliveries/monotonic-time.ts";
import { selectNewest } from "./last-write-store.ts";

/** What a database tells of the clock of whoever wrote it, in milliseconds since the epoch. */
export interface LastWrite {
  /** The last moment that was written down; undefined in an empty community that no server ran on. */
  last: number | undefined;
  /** How far the steady time is ahead of the wall's: by so much somebody set the clock back, all in all. */
  aheadMs: number;
}

/** Where the clock stood when the database was written last. */
export function lastWriteOf(db: Db): LastWrite {
  const text = getSetting({ db }, "steady-time");
  const mark = text === undefined ? undefined : (JSON.parse(text) as Mark);
  const moments = [mark?.wall, selectNewest(db)].filter((each) => each !== undefined);
  return {
    last: moments.length > 0 ? Math.max(...moments) : undefined,
    aheadMs: mark ? mark.steady - mark.wall : 0,
  };
}
