import { type Moments, momentsIn } from "./moments.ts";

/** Formats numbers, lists, durations and dates for one language, based on `Intl`. */
export interface Formats extends Moments {
  number(value: number): string;
  /** A number with exactly `digits` decimals, by default 2. */
  decimal(value: number, digits?: 1 | 2): string;
  /** A large number in short form: `90K`. */
  compact(value: number): string;
  /** A chart value: at most one decimal below 10,000, otherwise the short form. */
  figure(value: number): string;
  /** A count of unread items: `99+` from 100. */
  capped(value: number): string;
  /** A file size in the largest unit that fits: `1.2 MB`. */
  size(bytes: number): string;
  /** A joined list: `Ada, Bob, and Cy`. */
  list(items: readonly string[]): string;
  /** A date in UTC, without a time. */
  day(at: number): string;
  /** The short name of a month: `Nov`. */
  month(at: number): string;
  /** The narrow names of the weekdays, from Monday on: `M`, `T`. */
  weekdays: readonly string[];
  /** A day as a heading: `Today`, `Yesterday`, `Friday, November 20`. Both are days since the epoch. */
  dayHeading(day: number, today: number): string;
  /**
   * A relative time in the largest whole unit, such as `3 days ago`. A negative `ms` is in the past.
   * Undefined below one minute.
   */
  ago(ms: number): string | undefined;
  /** A retention period in whole years or days: `1 year`, `90 days`. */
  retention(ms: number): string;
  /** Every plural form of a message, by plural category. Scripts replace `{n}` with the count. */
  countForms(message: (params: { count: number; n: string }) => string): Record<string, string>;
  /** A waiting time, rounded up, in the largest unit that fits at least twice: `90 seconds`, `2 minutes`. */
  waitTime(seconds: number): string;
}

const DAY = 86_400_000;

/** Older days are shown with their year instead of the weekday. */
const DAYS_WITH_WEEKDAY = 300;

const UNITS = [
  ["year", 365 * DAY],
  ["month", 30 * DAY],
  ["week", 7 * DAY],
  ["day", DAY],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** Sample counts that cover every plural category. */
const COUNTS = [1, 2, 3, 0, 5, 6, 11, 20, 100, 1_000_000, 1.5];

const WAITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

const SIZES = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

/** Returns the formats of a language, given as a BCP 47 tag. */
/** Days since the epoch, which began on a Thursday. */
const MONDAY_TO_SUNDAY = [4, 5, 6, 7, 8, 9, 10];

export function formatsOf(language: string): Formats {
  const numbers = new Intl.NumberFormat(language);
  const [tenths, hundredths] = [1, 2].map(
    (digits) =>
      new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  ) as [Intl.NumberFormat, Intl.NumberFormat];
  const sizes = SIZES.map((unit) =>
    [0, 1].map(
      (digits) =>
        new Intl.NumberFormat(language, {
          style: "unit",
          unit,
          unitDisplay: unit === "byte" ? "long" : "short",
          useGrouping: false,
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        }),
    ),
  );
  const compacts = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 });
  const lists = new Intl.ListFormat(language);
  const days = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  const weekdays = new Intl.DateTimeFormat(language, {
    weekday: "long",
    day: "numeric",
    month: "long",
    timeZone: "UTC",
  });
  const months = new Intl.DateTimeFormat(language, { month: "short", timeZone: "UTC" });
  const narrowWeekdays = new Intl.DateTimeFormat(language, { weekday: "narrow", timeZone: "UTC" });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  /** Relative times by unit and value. Below a thousand years, there are only a few hundred. */
  const relatives = new Map<string, string>();
  const durations = Object.fromEntries(
    (["second", "minute", "hour", "day", "year"] as const).map((unit) => [
      unit,
      new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }),
    ]),
  ) as Record<"second" | "minute" | "hour" | "day" | "year", Intl.NumberFormat>;
  const rules = new Intl.PluralRules(language);
  const samples = rules
    .resolvedOptions()
    .pluralCategories.map(
      (category) => [category, COUNTS.find((count) => rules.select(count) === category) ?? 0] as const,
    );
  return {
    number: (value) => numbers.format(value),
    decimal: (value, digits = 2) => (digits === 1 ? tenths : hundredths).format(value),
    compact: (value) => compacts.format(value),
    figure: (value) =>
      value < 10_000 ? numbers.format(Math.round(value * 10) / 10) : compacts.format(value),
    capped: (value) => (value > 99 ? "99+" : numbers.format(value)),
    size(bytes) {
      const step = Math.min(SIZES.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1000)));
      const value = bytes / 1000 ** step;
      return sizes[step]?.[value < 10 && step > 0 ? 1 : 0]?.format(value) ?? "";
    },
    list: (items) => lists.format(items),
    ...momentsIn(language),
    day: (at) => days.format(at),
    month: (at) => months.format(at),
    weekdays: MONDAY_TO_SUNDAY.map((day) => narrowWeekdays.format(day * DAY)),
    dayHeading(day, today) {
      const text =
        today - day > 1
          ? (today - day < DAYS_WITH_WEEKDAY ? weekdays : days).format(day * DAY)
          : relative.format(Math.min(0, day - today), "day");
      return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
    },
    ago(ms) {
      const found = UNITS.find(([, length]) => Math.abs(ms) >= length);
      if (found === undefined) return undefined;
      const value = Math.trunc(ms / found[1]);
      const key = `${value} ${found[0]}`;
      const known = relatives.get(key);
      if (known !== undefined) return known;
      const text = relative.format(value, found[0]);
      if (Math.abs(value) < 1000) relatives.set(key, text);
      return text;
    },
    retention(ms) {
      const whole = Math.round(ms / DAY);
      return whole % 365 === 0 ? durations.year.format(whole / 365) : durations.day.format(whole);
    },
    countForms: (message) =>
      Object.fromEntries(samples.map(([category, count]) => [category, message({ count, n: "{n}" })])),
    waitTime(seconds) {
      const [unit, length] = WAITS.find(([, each]) => seconds >= 2 * each) ?? ["second", 1];
      return durations[unit].format(Math.ceil(seconds / length));
    },
  };
}
