/** @jsxImportSource @kitajs/html */
import { type Finding, startCheckup, type Severity } from "../../../core/services/checkup/checkup.ts";
import { currentHealth, type CurrentHealth } from "../../../core/services/checkup/current-health.ts";
import { type Day, listDays } from "../../../core/services/history/history.ts";
import { attemptsByHost, outgoingHealth } from "../../../core/services/channels/outgoing.ts";
import { OTHER_HOSTS } from "../../../core/outbox/deliveries/counters.ts";
import { type FailingEndpoint, listFailing } from "../../../core/outbox/webhooks/health.ts";
import { Heading } from "../../parts/layout.tsx";
import { Columns, Lines } from "../../parts/charts.tsx";
import { Ago, Form, Submit, Time } from "../../parts/parts.tsx";
import { hostOf } from "../../parts/failing-endpoints.tsx";
import { adminPage, type PersonContext, type View, type PageContext } from "../../request/route.ts";

const HERE = "/admin/health";

/** The health page: the state of the server and the community. */
export const adminHealthPages = [
  adminPage("GET", HERE, (ctx) => healthView(ctx)),
  adminPage("POST", `${HERE}/look`, ({ core, person }) => {
    const hasBegun = startCheckup(core, person.caller);
    return { to: HERE, notice: hasBegun ? "look-begun" : "look-refused" };
  }),
];

async function healthView(ctx: PersonContext): Promise<View> {
  const messages = ctx.messages.health;
  const { core, person } = ctx;
  const state = await currentHealth(core, person.caller);
  const failing = listFailing(core, person.caller);
  const days = listDays(core, person.caller);
  return {
    title: messages.title,
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        <HealthSummary state={state} ctx={ctx} />
        <Form action={`${HERE}/look`} ctx={ctx} kind="inline">
          <Submit kind="quiet">{messages.checkNow}</Submit>
        </Form>
        <Findings ctx={ctx} checked={state.checked.filter(({ severity }) => severity !== "ok")} />
        <PassedChecks ctx={ctx} checked={state.checked.filter(({ severity }) => severity === "ok")} />
        <Failing endpoints={failing} ctx={ctx} />
        <Outgoing ctx={ctx} health={outgoingHealth(core, person.caller)} />
        <Today ctx={ctx} day={days.at(-1)} />
        <Month ctx={ctx} days={days} />
      </>
    ),
  };
}

export function healthSummary(
  { messages: { health } }: Pick<PageContext, "messages">,
  { severity, checked }: CurrentHealth,
): string {
  const count = (wanted: Severity) => checked.filter((each) => each.severity === wanted).length;
  const [severe, warnings] = [count("severe"), count("warning")];
  if (severity === "severe") return health.actNow({ severe, warnings });
  return severity === "warning" ? health.works({ warnings }) : health.well;
}

function HealthSummary({ state, ctx }: { state: CurrentHealth; ctx: PageContext }) {
  const kind = state.severity === "severe" ? "fault-box" : "state";
  return (
    <>
      <p class={kind} role={state.severity === "severe" ? "alert" : "status"} safe>
        {healthSummary(ctx, state)}
      </p>
      {state.at === undefined ? (
        <p class="hint">
          {ctx.messages.health.notYet({ command: <code>{ctx.messages.health.doctor}</code> })}
        </p>
      ) : (
        <p class="hint">{ctx.messages.health.lookedThrough({ when: <Ago ctx={ctx} at={state.at} /> })}</p>
      )}
    </>
  );
}

const BADGES: Readonly<Record<Severity, string>> = {
  severe: "bad",
  warning: "waiting",
  note: "",
  ok: "good",
};

function Findings({ ctx, checked }: { ctx: PageContext; checked: readonly Finding[] }) {
  if (checked.length === 0) return "";
  return (
    <section class="part">
      <h2>{ctx.messages.health.found}</h2>
      <ul class="rows">
        {checked.map((each) => (
          <Row ctx={ctx} checked={each} />
        ))}
      </ul>
    </section>
  );
}

function Row({ ctx, checked: { check, severity, says, mend } }: { ctx: PageContext; checked: Finding }) {
  const messages = ctx.messages.health;
  return (
    <li>
      <div class="row-main">
        <p class="finding" lang="en" safe>
          {asSentence(says)}
        </p>
        <p class="row-meta" safe>
          {check.replaceAll("_", " ")}
        </p>
        {mend === undefined ? "" : <p class="mend">{messages.fix({ command: <code safe>{mend}</code> })}</p>}
      </div>
      <span>
        <span class={`badge ${BADGES[severity]}`} safe>
          {messages.severities[severity]}
        </span>
      </span>
    </li>
  );
}

/**
 * Capitalizes a finding, unless it begins with a name such as `guildhall.db`, `https://…` or
 * `before-upgrade-…`.
 */
function asSentence(says: string): string {
  return /^\p{Ll}+[,:;]?(?: |$)/u.test(says) ? says.charAt(0).toUpperCase() + says.slice(1) : says;
}

function PassedChecks({ ctx, checked }: { ctx: PageContext; checked: readonly Finding[] }) {
  if (checked.length === 0) return "";
  return (
    <details class="part">
      <summary>{ctx.messages.health.thingsAreWell({ count: checked.length })}</summary>
      <ul class="rows">
        {checked.map((each) => (
          <Row ctx={ctx} checked={each} />
        ))}
      </ul>
    </details>
  );
}

function Failing({ endpoints, ctx }: { endpoints: readonly FailingEndpoint[]; ctx: PageContext }) {
  const messages = ctx.messages.health.failing;
  return (
    <section class="part">
      <h2>{messages.title}</h2>
      {endpoints.length === 0 ? (
        <p class="hint">{messages.none}</p>
      ) : (
        <ul class="rows">
          {endpoints.map(({ url, owner, health, disabled }) => (
            <li>
              <div class="row-main">
                <p class="row-title" dir="auto" safe>
                  {hostOf(url)}
                </p>
                <p class="row-meta">
                  {owner === null
                    ? messages.nobodys
                    : messages.of({
                        owner: <a href={`/admin/builders/${owner}`} safe>{`@${owner}`}</a>,
                      })}{" "}
                  ·{" "}
                  {disabled ? ctx.messages.deliveries.disabled[disabled.code] : messages.acknowledgesNothing}{" "}
                  ·{" "}
                  {messages.since({
                    when: <Time ctx={ctx} at={disabled?.at ?? health.failingSince ?? ctx.core.clock.now()} />,
                  })}
                </p>
              </div>
              <span>
                <span class={`badge ${disabled ? "bad" : "waiting"}`}>
                  {disabled ? messages.off : messages.failing}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The queues of outgoing emails and pushes, and the results by host. */
function Outgoing({ ctx, health }: { ctx: PageContext; health: ReturnType<typeof outgoingHealth> }) {
  const { outgoing: messages } = ctx.messages.health;
  const { figure: count } = ctx.messages.formats;
  const { columns } = messages;
  const now = ctx.core.clock.now();
  const queues = [
    ...health.mails.map(({ kind, lane, ...queue }) => ({
      ...queue,
      name: kind === "notification" && lane === "urgent" ? messages.urgent : messages.kinds[kind],
    })),
    { ...health.pushes, name: messages.pushes },
  ].filter(({ waiting }) => waiting > 0);
  const hosts = attemptsByHost(health.attempts);
  return (
    <section class="part">
      <h2>{messages.title}</h2>
      {queues.length === 0 && hosts.length === 0 ? (
        <p class="hint">{messages.none}</p>
      ) : (
        <p class="hint">{messages.lead}</p>
      )}
      {queues.length === 0 ? (
        ""
      ) : (
        <div class="all-figures" role="region" aria-label={messages.queue} tabindex="0">
          <table>
            <caption>{messages.queue}</caption>
            <thead>
              <tr>
                <th scope="col">{columns.what}</th>
                <th scope="col">{columns.waiting}</th>
                <th scope="col">{columns.oldest}</th>
              </tr>
            </thead>
            <tbody>
              {queues.map(({ name, waiting, oldestMs }) => (
                <tr>
                  <th scope="row" safe>
                    {name}
                  </th>
                  <td safe>{count(waiting)}</td>
                  <td>
                    <Ago ctx={ctx} at={now - oldestMs} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hosts.length === 0 ? (
        ""
      ) : (
        <div class="all-figures" role="region" aria-label={messages.attempts} tabindex="0">
          <table>
            <caption>{messages.attempts}</caption>
            <thead>
              <tr>
                <th scope="col">{columns.host}</th>
                <th scope="col">{columns.what}</th>
                <th scope="col">{columns.sent}</th>
                <th scope="col">{columns.failed}</th>
              </tr>
            </thead>
            <tbody>
              {hosts.map(({ way, host, sent, failed }) => (
                <tr>
                  <th scope="row" dir="auto" safe>
                    {host === OTHER_HOSTS ? messages.others : host}
                  </th>
                  <td>{messages[way]}</td>
                  <td safe>{count(sent)}</td>
                  <td safe>{count(failed)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Today({ ctx, day }: { ctx: PageContext; day: Day | undefined }) {
  if (!day) return "";
  const {
    today: messages,
    figures: { unknown },
  } = ctx.messages.health;
  const { figure: count } = ctx.messages.formats;
  const time = timeIn(ctx);
  const figures: readonly [string, string][] = [
    [messages.active, day.active === null ? unknown : count(day.active)],
    [messages.requests, count(day.reads.requests + day.writes.requests)],
    [messages.reads, day.reads.p99 === null ? unknown : time(day.reads.p99)],
    [messages.faults, count(day.faults)],
  ];
  return (
    <section class="part">
      <h2>{ctx.messages.health.today.title}</h2>
      <dl class="figures">
        {figures.map(([name, figure]) => (
          <div>
            <dt safe>{name}</dt>
            <dd safe>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Returns a short formatter for durations in ms. */
function timeIn({ messages: { health, formats } }: PageContext): (ms: number) => string {
  const { seconds, milliseconds } = health.figures;
  return (ms) =>
    ms >= 1000
      ? seconds({ seconds: formats.decimal(ms / 1000, 1) })
      : milliseconds({ milliseconds: ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms) });
}

function Month({ ctx, days }: { ctx: PageContext; days: readonly Day[] }) {
  const messages = ctx.messages.health.month;
  const { figure: count } = ctx.messages.formats;
  const time = timeIn(ctx);
  const at = days.map(({ startsAt }) => startsAt);
  const all = (value: (day: Day) => number | null) => days.map(value);
  return (
    <section class="part">
      <h2>{ctx.messages.health.month.title}</h2>
      <div class="charts">
        <Columns
          ctx={ctx}
          title={messages.activeTitle}
          days={at}
          series={[{ kind: "good", label: messages.active, values: all(({ active }) => active) }]}
          formatValue={count}
        />
        <Columns
          ctx={ctx}
          title={messages.writtenTitle}
          days={at}
          series={[
            { kind: "good", label: messages.posts, values: all(({ posts }) => posts) },
            { kind: "mild", label: messages.replies, values: all(({ replies }) => replies) },
          ]}
          formatValue={count}
        />
        <Columns
          ctx={ctx}
          title={messages.newTitle}
          days={at}
          series={[
            { kind: "good", label: messages.signUps, values: all(({ signUps }) => signUps) },
            { kind: "mild", label: messages.jobs, values: all(({ jobs }) => jobs) },
            { kind: "waiting", label: messages.prompts, values: all(({ prompts }) => prompts) },
          ]}
          formatValue={count}
        />
        <Columns
          ctx={ctx}
          title={messages.attemptsTitle}
          days={at}
          series={[
            { kind: "good", label: messages.acknowledged, values: all(({ acknowledged }) => acknowledged) },
            { kind: "bad", label: messages.failed, values: all(({ failed }) => failed) },
          ]}
          formatValue={count}
        />
        <Lines
          ctx={ctx}
          title={messages.readsTitle}
          days={at}
          series={[
            { kind: "good", label: messages.half, values: all(({ reads }) => reads.p50) },
            { kind: "waiting", label: messages.nearlyAll, values: all(({ reads }) => reads.p99) },
          ]}
          formatValue={time}
          isLogarithmic
        />
        <Lines
          ctx={ctx}
          title={messages.writesTitle}
          days={at}
          series={[
            { kind: "good", label: messages.half, values: all(({ writes }) => writes.p50) },
            { kind: "waiting", label: messages.nearlyAll, values: all(({ writes }) => writes.p99) },
          ]}
          formatValue={time}
          isLogarithmic
        />
        <Columns
          ctx={ctx}
          title={messages.faultsTitle}
          days={at}
          series={[{ kind: "bad", label: messages.faults, values: all(({ faults }) => faults) }]}
          formatValue={count}
        />
        <Lines
          ctx={ctx}
          title={messages.sizeTitle}
          days={at}
          series={[{ kind: "good", label: messages.size, values: all(({ databaseBytes }) => databaseBytes) }]}
          formatValue={ctx.messages.formats.size}
        />
        <Lines
          ctx={ctx}
          title={messages.freeTitle}
          days={at}
          series={[{ kind: "good", label: messages.free, values: all(({ freeBytes }) => freeBytes) }]}
          formatValue={ctx.messages.formats.size}
        />
      </div>
    </section>
  );
}
