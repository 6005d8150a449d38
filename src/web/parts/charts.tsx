/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";

import type { PageContext } from "../request/route.ts";
import type { LocaleMessages } from "../../locale/messages.ts";

/** Charts of days or weeks without scripts. Each has a text alternative. */

/**
 * Width in SVG units. Phones and desktops show about as many pixels, so labels have nearly their nominal
 * size.
 */
const WIDTH = 300;
const HEIGHT = 64;
/** Width of the scale labels beside the chart, in SVG units. */
const SCALE = 44;
/** Free space above the highest value, in SVG units. */
const HEAD = 6;

type ChartLabels = LocaleMessages["health"]["charts"];
type Kind = "good" | "bad" | "waiting" | "mild";

export interface Series {
  kind: Kind;
  label: string;
  /** One value per day or week. Null for an unknown value. */
  values: readonly (number | null)[];
}

export interface Chart {
  ctx: Pick<PageContext, "messages">;
  /** Defaults to the labels of daily charts. */
  labels?: ChartLabels;
  title: string;
  /** The text alternative. By default it is built from the series. */
  label?: string;
  /** The midnight at which each day or week begins. */
  days: readonly number[];
  series: readonly Series[];
  formatValue(value: number): string;
}

/** One column per day. The first series is at the bottom. */
export function Columns(chart: Chart) {
  const { ctx, days, series, formatValue, labels = ctx.messages.health.charts } = chart;
  const { day: dateOf } = ctx.messages.formats;
  const sums = days.map((_, day) => series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0));
  const most = Math.max(1, ...sums);
  const step = (WIDTH - SCALE) / days.length;
  return (
    <Frame {...chart} top={most}>
      {days.map((day, index) => {
        let y = HEIGHT - 1;
        return (
          <g>
            <title safe>
              {labels.ofDay({
                day: dateOf(day),
                figures: series.map((each) => ofDay(labels, each, index, formatValue)).join(", "),
              })}
            </title>
            {/* Makes the whole height react to the pointer, even for an empty day. */}
            <rect class="ground" x={index * step} y="0" width={step} height={HEIGHT} />
            {series.map(({ kind, values }) => {
              const value = values[index] ?? 0;
              if (value <= 0) return "";
              const height = Math.max(1.5, (value / most) * (HEIGHT - HEAD));
              y -= height;
              return <rect class={kind} x={index * step + 1} y={y} width={step - 2} height={height} />;
            })}
          </g>
        );
      })}
    </Frame>
  );
}

/**
 * One point per day. Known values of consecutive days are joined by a line. `isLogarithmic` shows 2 ms and 2
 * s on one scale.
 */
export function Lines({ isLogarithmic = false, ...chart }: Chart & { isLogarithmic?: boolean }) {
  const { ctx, days, series, formatValue, labels = ctx.messages.health.charts } = chart;
  const { day: dateOf } = ctx.messages.formats;
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const scale = (value: number) => (isLogarithmic ? Math.log10(Math.max(value, 0.1)) : value);
  const most = Math.max(isLogarithmic ? 1 : 0, ...known);
  const [low, high] = [isLogarithmic ? scale(0.1) : 0, scale(most)];
  const step = (WIDTH - SCALE) / days.length;
  const pointAt = (value: number, index: number) => ({
    x: round((index + 0.5) * step),
    y: round(HEIGHT - 1 - (high === low ? 0 : (scale(value) - low) / (high - low)) * (HEIGHT - HEAD)),
  });
  return (
    <Frame {...chart} top={most}>
      {series.map(({ kind, label: of, values }) =>
        values.map((value, index) => {
          if (value === null) return "";
          const { x, y } = pointAt(value, index);
          const before = values[index - 1] ?? null;
          const from = before === null ? undefined : pointAt(before, index - 1);
          return (
            <g>
              {from ? <line class={`stroke ${kind}`} x1={from.x} y1={from.y} x2={x} y2={y} /> : ""}
              <circle class={kind} cx={x} cy={y} r="1.5">
                <title safe>
                  {labels.point({ day: dateOf(days[index] ?? 0), of, value: formatValue(value) })}
                </title>
              </circle>
            </g>
          );
        }),
      )}
    </Frame>
  );
}

/** The frame of a chart. Words replace a chart without values above zero. */
function Frame({ top, children, ...chart }: PropsWithChildren<Chart & { top: number }>) {
  const { ctx, title, days, series, formatValue, labels = ctx.messages.health.charts } = chart;
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const isEmpty = known.every((value) => value === 0);
  return (
    <figure class="chart month">
      <figcaption>
        <span safe>{title}</span>
        {series.length > 1
          ? series.map(({ kind, label }) => (
              <span class={`key ${kind}`} safe>
                {label}
              </span>
            ))
          : ""}
      </figcaption>
      {isEmpty ? (
        <p class="hint">{known.length === 0 ? labels.nothing : labels.zeros}</p>
      ) : (
        <>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            role="img"
            aria-label={
              chart.label ??
              labels.whole({
                title,
                series: series.map((each) => summary(labels, each, formatValue)).join(" "),
              })
            }
          >
            <line class="axis" x1="0" x2={WIDTH - SCALE} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
            <line class="axis" x1="0" x2={WIDTH - SCALE} y1={HEAD - 1} y2={HEAD - 1} />
            <text x={WIDTH - SCALE + 6} y={HEAD + 2} safe>
              {formatValue(top)}
            </text>
            {children}
          </svg>
          <p class="chart-ends">
            <span safe>{ctx.messages.formats.day(days[0] ?? 0)}</span>
            <span>{labels.today}</span>
          </p>
        </>
      )}
    </figure>
  );
}

function ofDay(
  labels: ChartLabels,
  { label, values }: Series,
  index: number,
  formatValue: Chart["formatValue"],
): string {
  const value = values[index] ?? null;
  return value === null
    ? labels.noFigure({ of: label })
    : labels.figure({ value: formatValue(value), of: label });
}

/** Returns the text alternative of a series: `posts: today 3, on other days 0 to 12, 4 on average.` */
function summary(labels: ChartLabels, { label, values }: Series, formatValue: Chart["formatValue"]): string {
  const past = values.slice(0, -1).filter((value) => value !== null);
  const today = values.at(-1) ?? null;
  const current = today === null ? labels.currentUnknown : labels.current({ figure: formatValue(today) });
  if (past.length === 0) return labels.onlyToday({ of: label, current });
  const mean = past.reduce((sum, value) => sum + value, 0) / past.length;
  const [least, most] = [Math.min(...past), Math.max(...past)];
  return labels.series({
    of: label,
    current,
    least: formatValue(least),
    most: formatValue(most),
    mean: formatValue(mean),
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
