/** @jsxImportSource @kitajs/html */
import type { EndpointFigures } from "../../../core/outbox/deliveries/delivery-stats.ts";
import { formatMoment } from "../../parts/sentences.ts";
import { Columns } from "../../parts/charts.tsx";
import type { PageContext } from "../../request/route.ts";

/** Small charts without scripts. Each has a text alternative. */

/**
 * Width in SVG units. The chart is about as many pixels wide on phones and desktops, so labels have nearly
 * their nominal size.
 */
const WIDTH = 300;
const HEIGHT = 52;

/** One column of deliveries per day: acknowledged at the bottom, failed at the top, waiting between. */
export function DaysChart({ ctx, days }: { ctx: PageContext; days: EndpointFigures["days"] }) {
  const { charts: messages, deliveries } = ctx.messages.webhooks;
  const kinds = [
    ["good", "acknowledged"],
    ["waiting", "waiting"],
    ["bad", "failed"],
  ] as const;
  return (
    <Columns
      ctx={ctx}
      title={messages.days}
      label={daysText(ctx, days)}
      days={days.map(({ startsAt }) => startsAt)}
      series={kinds.map(([kind, of]) => ({
        kind,
        label: deliveries[of],
        values: days.map((day) => day[of]),
      }))}
      formatValue={ctx.messages.formats.number}
    />
  );
}

/**
 * One stroke per attempt. Its height is the duration on a logarithmic scale, because receivers answer in 2 ms
 * or in 9 s.
 */
export function LatencyChart({ ctx, attempts }: { ctx: PageContext; attempts: EndpointFigures["attempts"] }) {
  // The scale labels are beside the strokes, not over them.
  const width = WIDTH - 40;
  const messages = ctx.messages.webhooks.charts;
  const step = width / Math.max(30, attempts.length);
  const longest = Math.log10(10_000);
  const heightOf = (ms: number): number =>
    Math.max(3, (Math.min(longest, Math.log10(Math.max(1, ms))) / longest) * (HEIGHT - 6));
  return (
    <figure class="chart">
      <figcaption>{messages.attempts}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={attemptsText(ctx, attempts)}>
        {[10, 100, 1000].map((ms) => {
          const y = HEIGHT - 1 - heightOf(ms);
          return (
            <g>
              <line class="axis" x1="0" x2={width} y1={y} y2={y} />
              <text x={width + 6} y={y + 3}>
                {ms === 1000 ? messages.seconds({ seconds: 1 }) : messages.milliseconds({ ms })}
              </text>
            </g>
          );
        })}
        {attempts.map(({ durationMs, isAcknowledged, startedAt }, index) => {
          const height = heightOf(durationMs);
          return (
            <rect
              class={isAcknowledged ? "good" : "bad"}
              x={index * step + 1}
              y={HEIGHT - 1 - height}
              width={Math.max(1.5, step - 2)}
              height={height}
            >
              <title safe>
                {(isAcknowledged ? messages.acknowledged : messages.failed)({
                  moment: formatMoment(ctx, startedAt),
                  ms: durationMs,
                })}
              </title>
            </rect>
          );
        })}
      </svg>
    </figure>
  );
}

function daysText({ messages: { webhooks } }: PageContext, days: EndpointFigures["days"]): string {
  const sum = (of: "acknowledged" | "failed" | "waiting") => days.reduce((total, one) => total + one[of], 0);
  return webhooks.charts.daysInWords({
    days: days.length,
    acknowledged: sum("acknowledged"),
    failed: sum("failed"),
    waiting: sum("waiting"),
  });
}

function attemptsText(
  { messages: { webhooks } }: PageContext,
  attempts: EndpointFigures["attempts"],
): string {
  const good = attempts.filter(({ isAcknowledged }) => isAcknowledged).length;
  return webhooks.charts.attemptsInWords({ attempts: attempts.length, acknowledged: good });
}
