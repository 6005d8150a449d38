/** @jsxImportSource @kitajs/html */
import { DAY } from "../../core/base/clock.ts";
import type { Calendar } from "../../core/community/xp/streaks.ts";
import type { PageContext } from "../request/route.ts";

const WEEKS = 5;
/** Number of days in the calendar. */
export const CALENDAR_DAYS = WEEKS * 7;

/** Space for the months, left of the weeks, and for the weekdays above the weeks. */
const [LEFT, ABOVE] = [24, 11];

/**
 * The number of days in a row, and a calendar of the last weeks, one line per week from Monday. The remaining
 * days of this week are outlined. For other members, the calendar is hidden from screen readers.
 */
export function Streak({
  ctx,
  calendar: { streakDays, days, today },
  isOtherMember = false,
  hasLegend = false,
}: {
  ctx: PageContext;
  calendar: Calendar;
  isOtherMember?: boolean;
  hasLegend?: boolean;
}) {
  const messages = ctx.messages.feed.sidebar;
  // The epoch began on a Thursday.
  const weekday = (today + 3) % 7;
  const shown = days.slice(days.length - (WEEKS - 1) * 7 - weekday - 1);
  const drawn: (boolean | "ahead")[] = [...shown, ...Array<"ahead">(6 - weekday).fill("ahead")];
  const path = (kind: boolean | "ahead") =>
    drawn
      .map((day, i) => (day === kind ? `M${(i % 7) * 12} ${Math.floor(i / 7) * 12}h9v9h-9z` : ""))
      .join("");
  return (
    <>
      {streakDays === 0 ? (
        <p class="hint">{messages.noStreak}</p>
      ) : (
        <p class="streak">
          <strong>{ctx.messages.formats.number(streakDays)}</strong>{" "}
          <span>{messages.daysInARow({ days: streakDays })}</span>
        </p>
      )}
      <svg
        class="calendar"
        viewBox={`${-LEFT} ${-ABOVE} ${81 + LEFT} ${WEEKS * 12 - 3 + ABOVE}`}
        {...(isOtherMember
          ? { "aria-hidden": "true" }
          : {
              role: "img",
              "aria-label": messages.calendar({ active: shown.filter(Boolean).length, days: shown.length }),
            })}
      >
        {ctx.messages.formats.weekdays.map((name, i) => (
          <text x={String(i * 12 + 4.5)} y="-3" text-anchor="middle" safe>
            {name}
          </text>
        ))}
        {monthsOf(today - weekday).map(({ week, at }) => (
          <text x={String(-LEFT)} y={String(week * 12 + 7.5)} safe>
            {ctx.messages.formats.month(at)}
          </text>
        ))}
        <path class="off" d={path(false)} />
        <path class="on" d={path(true)} />
        <path class="ahead" d={path("ahead")} />
        <path class="today" d={`M${weekday * 12 - 1} ${(WEEKS - 1) * 12 - 1}h11v11h-11z`} />
      </svg>
      {hasLegend ? (
        <p class="calendar-legend">
          <svg class="calendar-key" viewBox="0 0 9 9" aria-hidden="true">
            <path class="on" d="M0 0h9v9h-9z" />
          </svg>
          {isOtherMember ? messages.dayOfStreak : messages.activeDay}
        </p>
      ) : (
        ""
      )}
    </>
  );
}

/** Returns the weeks in which a month begins, and the first week, with a time in that month. */
function monthsOf(monday: number): { week: number; at: number }[] {
  const found: { week: number; at: number }[] = [];
  for (let week = 0; week < WEEKS; week++) {
    const sunday = (monday - (WEEKS - 1 - week) * 7 + 6) * DAY;
    if (week === 0 || new Date(sunday).getUTCDate() <= 7) found.push({ week, at: sunday });
  }
  return found;
}
