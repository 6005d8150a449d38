import { localDay } from "../../core/community/xp/calendar-days.ts";
import type { PageContext } from "../request/route.ts";

/** The items of one day in the reader's time zone. */
export interface DayOfItems<Item> {
  /** `Today`, `Yesterday` or a date. */
  heading: string;
  items: Item[];
}

/** Groups a sorted list by day. */
export function groupByDay<Item>(
  { core, messages, zone }: PageContext,
  items: readonly Item[],
  timeOf: (item: Item) => number,
): DayOfItems<Item>[] {
  const today = localDay(core.clock.now(), zone.name);
  return [...Map.groupBy(items, (item) => localDay(timeOf(item), zone.name))].map(([day, ofDay]) => ({
    heading: messages.formats.dayHeading(day, today),
    items: ofDay,
  }));
}
