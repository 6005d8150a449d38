/** @jsxImportSource @kitajs/html */
import { listStatistics, type Statistics, type Week } from "../../../core/services/history/statistics.ts";
import { NO_STORE } from "../../../http/answer.ts";
import { Heading } from "../../parts/layout.tsx";
import { Columns, type Series } from "../../parts/charts.tsx";
import { Time } from "../../parts/parts.tsx";
import { adminPage, type PersonContext, type View } from "../../request/route.ts";

const HERE = "/admin/statistics";

/** Growth statistics for admins (docs/contract.md#12.26). */
export const statisticsPages = [
  adminPage("GET", HERE, (ctx) => statisticsView(ctx)),
  adminPage("GET", `${HERE}.csv`, (ctx) => csvOf(ctx)),
];

function statisticsView(ctx: PersonContext): View {
  const messages = ctx.messages.statistics;
  const statistics = listStatistics(ctx.core, ctx.person.caller);
  const { since, countedTo, weeks } = statistics;
  return {
    title: messages.title,
    body: (
      <>
        <Heading
          title={messages.title}
          action={
            <a class="button quiet" href={`${HERE}.csv`}>
              {messages.download}
            </a>
          }
        >
          <p>
            {messages.lead}{" "}
            {since === null
              ? messages.notYet
              : messages.since({ when: <span safe>{ctx.messages.formats.day(since)}</span> })}{" "}
            {countedTo === null ? "" : messages.upTo({ when: <Time ctx={ctx} at={countedTo} /> })}
          </p>
        </Heading>
        <CurrentFigures ctx={ctx} statistics={statistics} />
        <div class="charts">
          {chartsOf(ctx, weeks).map(({ title, series }) => (
            <Charted ctx={ctx} title={title} weeks={weeks} series={series} />
          ))}
        </div>
      </>
    ),
  };
}

function CurrentFigures({
  ctx,
  statistics: { members, weeks },
}: {
  ctx: PersonContext;
  statistics: Statistics;
}) {
  const messages = ctx.messages.statistics;
  const formatCount = (value: number | null | undefined) =>
    value === null || value === undefined ? messages.unknown : ctx.messages.formats.number(value);
  const figures = [
    [messages.members, formatCount(members)],
    [messages.joinedNow, formatCount(weeks.at(-1)?.signUps)],
    [messages.activeNow, formatCount(weeks.at(-1)?.active)],
  ] as const;
  return (
    <section>
      <h2 class="unseen">{messages.now}</h2>
      <dl class="figures">
        {figures.map(([name, figure]) => (
          <div>
            <dt>{name}</dt>
            <dd safe>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function chartsOf({ messages: { statistics: messages } }: PersonContext, weeks: readonly Week[]) {
  const all = (value: (week: Week, index: number) => number | null): (number | null)[] => weeks.map(value);
  // The next week's row counts how many of this week's new members returned.
  const returned = all((_, index) => weeks[index + 1]?.returned ?? null);
  const charts: { title: string; series: Series[] }[] = [
    {
      title: messages.joined.title,
      series: [{ kind: "good", label: messages.joined.members, values: all(({ signUps }) => signUps) }],
    },
    {
      title: messages.active.title,
      series: [{ kind: "good", label: messages.active.members, values: all(({ active }) => active) }],
    },
    {
      title: messages.returned.title,
      series: [
        { kind: "good", label: messages.returned.returned, values: returned },
        {
          kind: "mild",
          label: messages.returned.gone,
          values: all(({ signUps }, index) => {
            const back = returned[index] ?? null;
            return back === null || signUps === null ? null : Math.max(0, signUps - back);
          }),
        },
      ],
    },
    {
      title: messages.written.title,
      series: [
        { kind: "good", label: messages.written.posts, values: all(({ posts }) => posts) },
        { kind: "mild", label: messages.written.replies, values: all(({ replies }) => replies) },
      ],
    },
    {
      title: messages.made.title,
      series: [
        { kind: "good", label: messages.made.jobs, values: all(({ jobs }) => jobs) },
        { kind: "mild", label: messages.made.prompts, values: all(({ prompts }) => prompts) },
      ],
    },
    {
      title: messages.deliveries.title,
      series: [
        {
          kind: "good",
          label: messages.deliveries.acknowledged,
          values: all(({ acknowledged }) => acknowledged),
        },
        { kind: "bad", label: messages.deliveries.failed, values: all(({ failed }) => failed) },
      ],
    },
  ];
  return charts;
}

interface ChartProps {
  ctx: PersonContext;
  title: string;
  weeks: readonly Week[];
  series: readonly Series[];
}

/** A chart, and below it a table of the same values, newest first. */
function Charted({ ctx, title, weeks, series }: ChartProps) {
  const { statistics: messages, formats: forms } = ctx.messages;
  return (
    <div>
      <Columns
        ctx={ctx}
        labels={messages.charts}
        title={title}
        days={weeks.map(({ startsAt }) => startsAt)}
        series={series}
        formatValue={(value) => forms.number(Math.round(value * 10) / 10)}
      />
      <details class="all-figures">
        <summary aria-label={messages.figuresOf({ title })}>{messages.figures}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{messages.week}</th>
              {series.map((each) => (
                <th scope="col" safe>
                  {each.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks
              .map(({ startsAt }, index) => (
                <tr>
                  <th scope="row" safe>
                    {forms.day(startsAt)}
                  </th>
                  {series.map(({ values }) => (
                    <td safe>{figureOf(ctx, values[index] ?? null)}</td>
                  ))}
                </tr>
              ))
              .toReversed()}
          </tbody>
        </table>
      </details>
    </div>
  );
}

function figureOf({ messages: { statistics, formats: forms } }: PersonContext, value: number | null): string {
  return value === null ? statistics.unknown : forms.number(value);
}

const COLUMNS = {
  week: ({ startsAt }) => new Date(startsAt).toISOString().slice(0, 10),
  joined: ({ signUps }) => signUps,
  active: ({ active }) => active,
  returned: ({ returned }) => returned,
  posts: ({ posts }) => posts,
  replies: ({ replies }) => replies,
  jobs: ({ jobs }) => jobs,
  prompts: ({ prompts }) => prompts,
  acknowledged: ({ acknowledged }) => acknowledged,
  failed: ({ failed }) => failed,
} satisfies Record<string, (week: Week) => string | number | null>;

/** Returns the statistics as CSV (RFC 4180): one line per week, oldest first. Unknown values are empty. */
function csvOf(ctx: PersonContext): Response {
  const { weeks } = listStatistics(ctx.core, ctx.person.caller);
  const lines = weeks.map((week) =>
    Object.values(COLUMNS)
      .map((of) => of(week) ?? "")
      .join(","),
  );
  return new Response([Object.keys(COLUMNS).join(","), ...lines, ""].join("\r\n"), {
    headers: {
      ...ctx.context.headers,
      "cache-control": NO_STORE,
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": 'attachment; filename="statistics.csv"',
    },
  });
}
