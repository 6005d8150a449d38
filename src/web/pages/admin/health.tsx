/** @jsxImportSource @kitajs/html */
import { type Checked, lookAgain, type Severity } from "../../../core/across/checkup/checkup.ts";
import { presentState, type PresentState } from "../../../core/across/checkup/present.ts";
import { type Day, listDays } from "../../../core/across/history/history.ts";
import { type FailingEndpoint, listFailing } from "../../../core/outbox/webhooks/health.ts";
import { Ago, Form, Submit } from "../../parts/parts.tsx";
import { hostOf } from "../../parts/troubles.tsx";
import { forAdmins, type PersonAsk, type View, type PageAsk } from "../../request/route.ts";
import { AdminHead } from "./head.tsx";
import { Columns, Lines } from "./health-charts.tsx";

const HERE = "/admin/health";

/** How the server and the community do, in a person's words. */
export const adminHealthPages = [
  forAdmins("GET", HERE, (ask) => healthView(ask)),
  forAdmins("POST", `${HERE}/look`, ({ core, person }) => {
    const hasBegun = lookAgain(core, person.caller);
    return { to: HERE, notice: hasBegun ? "look-begun" : "look-refused" };
  }),
];

async function healthView(ask: PersonAsk): Promise<View> {
  const { core, person } = ask;
  const state = await presentState(core, person.caller);
  const failing = listFailing(core, person.caller);
  const days = listDays(core, person.caller);
  return {
    title: "Health",
    body: (
      <>
        <AdminHead ask={ask} title="Health">
          <p>How this server and the community do. Days are those of UTC.</p>
        </AdminHead>
        <InOneSentence state={state} ask={ask} />
        <Form action={`${HERE}/look`} token={ask.formToken} kind="inline">
          <Submit kind="quiet">Look at everything now</Submit>
        </Form>
        <Findings checked={state.checked.filter(({ severity }) => severity !== "ok")} />
        <Well checked={state.checked.filter(({ severity }) => severity === "ok")} />
        <Failing endpoints={failing} ask={ask} />
        <Today day={days.at(-1)} />
        <Month days={days} />
      </>
    ),
  };
}

/** What an admin reads first. */
export function inOneSentence({ severity, checked }: PresentState): string {
  const count = (wanted: Severity) => checked.filter((each) => each.severity === wanted).length;
  const [severe, warnings] = [count("severe"), count("warning")];
  const things = (n: number) => (n === 1 ? "one thing" : `${n} things`);
  if (severity === "severe")
    return `Act now: ${things(severe)} ${severe === 1 ? "is" : "are"} severe${warnings > 0 ? `, and ${things(warnings)} should be looked at` : ""}.`;
  if (severity === "warning") return `It works, and ${things(warnings)} should be looked at.`;
  return "All is well.";
}

function InOneSentence({ state, ask }: { state: PresentState; ask: PageAsk }) {
  const kind = state.severity === "severe" ? "fault-box" : "state";
  return (
    <>
      <p class={kind} role={state.severity === "severe" ? "alert" : "status"} safe>
        {inOneSentence(state)}
      </p>
      {state.at === undefined ? (
        <p class="hint">
          The server has not been looked through yet; <code>guildhall doctor</code> does it at once.
        </p>
      ) : (
        <p class="hint">
          Looked through <Ago ask={ask} at={state.at} />; backups, deliveries and what is met while it serves
          are of this moment.
        </p>
      )}
    </>
  );
}

const BADGES: Readonly<Record<Severity, { words: string; badge: string }>> = {
  severe: { words: "Severe", badge: "bad" },
  warning: { words: "Warning", badge: "waiting" },
  note: { words: "Note", badge: "" },
  ok: { words: "Well", badge: "good" },
};

function Findings({ checked }: { checked: readonly Checked[] }) {
  if (checked.length === 0) return "";
  return (
    <section class="part">
      <h2>What was found</h2>
      <ul class="rows">
        {checked.map((each) => (
          <Row checked={each} />
        ))}
      </ul>
    </section>
  );
}

function Row({ checked: { check, severity, says, mend } }: { checked: Checked }) {
  const { words, badge } = BADGES[severity];
  return (
    <li>
      <div class="row-main">
        <p class="finding" safe>
          {asSentence(says)}
        </p>
        <p class="row-meta" safe>
          {check.replaceAll("_", " ")}
        </p>
        {mend === undefined ? (
          ""
        ) : (
          <p class="mend">
            To mend it: <code safe>{mend}</code>
          </p>
        )}
      </div>
      <span>
        <span class={`badge ${badge}`} safe>
          {words}
        </span>
      </span>
    </li>
  );
}

/** With a capital, unless it begins with a name: `guildhall.db`, `https://…`, `before-upgrade-…`. */
function asSentence(says: string): string {
  return /^\p{Ll}+[,:;]?(?: |$)/u.test(says) ? says.charAt(0).toUpperCase() + says.slice(1) : says;
}

function Well({ checked }: { checked: readonly Checked[] }) {
  if (checked.length === 0) return "";
  return (
    <details class="part">
      <summary>{checked.length === 1 ? "One thing is well" : `${checked.length} things are well`}</summary>
      <ul class="rows">
        {checked.map((each) => (
          <Row checked={each} />
        ))}
      </ul>
    </details>
  );
}

function Failing({ endpoints, ask }: { endpoints: readonly FailingEndpoint[]; ask: PageAsk }) {
  return (
    <section class="part">
      <h2>Webhook endpoints that fail</h2>
      {endpoints.length === 0 ? (
        <p class="hint">None fails, and none is off that its owner did not switch off.</p>
      ) : (
        <ul class="rows">
          {endpoints.map(({ url, owner, health, disabled }) => (
            <li>
              <div class="row-main">
                <p class="row-title" dir="auto" safe>
                  {hostOf(url)}
                </p>
                <p class="row-meta">
                  {owner === null ? (
                    "Nobody’s"
                  ) : (
                    <>
                      Of <a href={`/admin/builders/${owner}`} safe>{`@${owner}`}</a>
                    </>
                  )}{" "}
                  · {disabled ? <span safe>{disabled.reason}</span> : "Acknowledges nothing"}
                  {" · since "}
                  {disabled ? (
                    <Ago ask={ask} at={disabled.at} />
                  ) : (
                    <Ago ask={ask} at={health.failingSince ?? ask.core.clock.now()} />
                  )}
                </p>
              </div>
              <span>
                <span class={`badge ${disabled ? "bad" : "waiting"}`}>{disabled ? "Off" : "Failing"}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Today({ day }: { day: Day | undefined }) {
  if (!day) return "";
  const figures: readonly [string, string][] = [
    ["Active today", day.active === null ? "–" : String(day.active)],
    ["Requests", inThousands(day.reads.requests + day.writes.requests)],
    ["Reads, 99 of 100 within", inTime(day.reads.p99)],
    ["Faults of ours", inThousands(day.faults)],
  ];
  return (
    <section class="part">
      <h2>Today</h2>
      <dl class="figures">
        {figures.map(([words, figure]) => (
          <div>
            <dt safe>{words}</dt>
            <dd safe>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Month({ days }: { days: readonly Day[] }) {
  const at = days.map(({ startsAt }) => startsAt);
  const all = (value: (day: Day) => number | null) => days.map(value);
  return (
    <section class="part">
      <h2>The last thirty days</h2>
      <div class="charts">
        <Columns
          title="Members active a day"
          days={at}
          series={[{ kind: "good", words: "active", values: all(({ active }) => active) }]}
          inWords={inThousands}
        />
        <Columns
          title="Written a day"
          days={at}
          series={[
            { kind: "good", words: "posts", values: all(({ posts }) => posts) },
            { kind: "mild", words: "replies", values: all(({ replies }) => replies) },
          ]}
          inWords={inThousands}
        />
        <Columns
          title="New a day"
          days={at}
          series={[
            { kind: "good", words: "sign-ups", values: all(({ signUps }) => signUps) },
            { kind: "mild", words: "jobs", values: all(({ jobs }) => jobs) },
            { kind: "waiting", words: "prompts", values: all(({ prompts }) => prompts) },
          ]}
          inWords={inThousands}
        />
        <Columns
          title="Attempts of deliveries a day"
          days={at}
          series={[
            { kind: "good", words: "acknowledged", values: all(({ acknowledged }) => acknowledged) },
            { kind: "bad", words: "failed", values: all(({ failed }) => failed) },
          ]}
          inWords={inThousands}
        />
        <Lines
          title="Reads answered within"
          days={at}
          series={[
            { kind: "good", words: "half of them", values: all(({ reads }) => reads.p50) },
            { kind: "waiting", words: "99 of 100", values: all(({ reads }) => reads.p99) },
          ]}
          inWords={inTime}
          isLogarithmic
        />
        <Lines
          title="Writes answered within"
          days={at}
          series={[
            { kind: "good", words: "half of them", values: all(({ writes }) => writes.p50) },
            { kind: "waiting", words: "99 of 100", values: all(({ writes }) => writes.p99) },
          ]}
          inWords={inTime}
          isLogarithmic
        />
        <Columns
          title="Requests that a fault of ours ended"
          days={at}
          series={[{ kind: "bad", words: "faults", values: all(({ faults }) => faults) }]}
          inWords={inThousands}
        />
        <Lines
          title="Size of the database"
          days={at}
          series={[{ kind: "good", words: "size", values: all(({ databaseBytes }) => databaseBytes) }]}
          inWords={inBytes}
        />
        <Lines
          title="Free on its disk"
          days={at}
          series={[{ kind: "good", words: "free", values: all(({ freeBytes }) => freeBytes) }]}
          inWords={inBytes}
        />
      </div>
    </section>
  );
}

const counting = new Intl.NumberFormat("en", { maximumFractionDigits: 1, notation: "compact" });

function inThousands(value: number): string {
  return value < 10_000 ? String(Math.round(value * 10) / 10) : counting.format(value);
}

function inTime(ms: number | null): string {
  if (ms === null) return "–";
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

function inBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1000)));
  const value = bytes / 1000 ** step;
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[step]}`;
}
