/** @jsxImportSource @kitajs/html */
import type { Calendar } from "../../core/community/xp/streaks.ts";
import type { PageContext } from "../request/route.ts";

const WEEKS = 5;
/** Number of days in the calendar. */
export const CALENDAR_DAYS = WEEKS * 7;

/**
 * The number of days in a row, and a calendar of the last weeks, one line per week from Monday. The remaining
 * days of this week are outlined. For other members, the calendar is hidden from screen readers.
 */
export function Streak({
  ctx,
  calendar: { streakDays, days, today },
  isOtherMember = false,
}: {
  ctx: PageContext;
  calendar: Calendar;
  isOtherMember?: boolean;
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
        viewBox={`0 0 81 ${WEEKS * 12 - 3}`}
        {...(isOtherMember
          ? { "aria-hidden": "true" }
          : {
              role: "img",
              "aria-label": messages.calendar({ active: shown.filter(Boolean).length, days: shown.length }),
            })}
      >
        <path class="off" d={path(false)} />
        <path class="on" d={path(true)} />
        <path class="ahead" d={path("ahead")} />
        <path class="today" d={`M${weekday * 12 - 1} ${(WEEKS - 1) * 12 - 1}h11v11h-11z`} />
      </svg>
    </>
  );
}
