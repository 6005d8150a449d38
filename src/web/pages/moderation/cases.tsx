/** @jsxImportSource @kitajs/html */
import { CASE_CAUSES } from "../../../core/base/db/schema-moderation.ts";
import { type ListedCase, listCases } from "../../../core/services/moderation/cases.ts";
import { Heading } from "../../parts/layout.tsx";
import { casePath } from "../../parts/moderate-menu.tsx";
import { Ago, More, Rows } from "../../parts/parts.tsx";
import { filterOf, nextAddress, pageRequest } from "../../request/paging.ts";
import { moderatorPage, type PersonContext, type View } from "../../request/route.ts";
import { brakeText } from "./acts.tsx";
import { subjectName } from "../../parts/subject-name.ts";

const HERE = "/admin/cases";

/** The list of cases. The former page of reports leads to it. */
export const caseListPages = [
  moderatorPage("GET", HERE, (ctx) => listView(ctx)),
  moderatorPage("GET", "/admin/reports", (ctx) => {
    const headers = { ...ctx.context.headers, location: successorOf(ctx.query.get("state")) };
    return new Response(null, { status: 308, headers });
  }),
];

/** Returns the page that has replaced a list of the former page of reports. */
function successorOf(state: string | null): string {
  if (state === "hidden") return "/admin/content?state=hidden";
  return state === "settled" ? `${HERE}?state=closed` : HERE;
}

const LISTS = ["open", "mine", "closed"] as const;

function listView(ctx: PersonContext): View {
  const messages = ctx.messages.desk.cases;
  const { core, person } = ctx;
  const list = LISTS.find((name) => name === ctx.query.get("state")) ?? "open";
  const cause = CASE_CAUSES.find((name) => name === filterOf(ctx, "cause"));
  const page = listCases(
    core,
    person.caller,
    {
      state: list === "closed" ? "closed" : "open",
      taken: list === "mine" ? "mine" : undefined,
      cause,
    },
    pageRequest(ctx),
  );
  const empty = {
    open: [messages.nothing, messages.nothingLead],
    mine: [messages.nothingMine, messages.nothingMineLead],
    closed: [messages.nothingClosed, messages.nothingClosedLead],
  } as const;
  return {
    title: messages.title,
    body: (
      <>
        <Heading title={messages.title}>
          <p>{list === "closed" ? messages.closedLead : messages.openLead}</p>
        </Heading>
        <div class="case-filters">
          <nav class="tabs" aria-label={messages.state}>
            {LISTS.map((name) => (
              <a href={addressOf(name, cause)} aria-current={name === list ? "page" : undefined}>
                {messages[name]}
              </a>
            ))}
          </nav>
          <nav class="tabs quiet" aria-label={messages.cause}>
            {[undefined, ...CASE_CAUSES].map((name) => (
              <a href={addressOf(list, name)} aria-current={name === cause ? "page" : undefined}>
                {name === undefined ? messages.anyCause : messages.causes[name]}
              </a>
            ))}
          </nav>
        </div>
        <Rows
          nodes={page.nodes}
          kind="rows cases"
          empty={empty[list][0]}
          lead={empty[list][1]}
          row={(each) => <CaseRow ctx={ctx} of={each} />}
        />
        <More ctx={ctx} href={nextAddress(ctx, page)} label={messages.more} />
      </>
    ),
  };
}

function addressOf(list: (typeof LISTS)[number], cause: string | undefined): string {
  const query = new URLSearchParams([
    ...(list === "open" ? [] : [["state", list] as [string, string]]),
    ...(cause === undefined ? [] : [["cause", cause] as [string, string]]),
  ]);
  return query.size === 0 ? HERE : `${HERE}?${query}`;
}

function CaseRow({ ctx, of }: { ctx: PersonContext; of: ListedCase }) {
  const { cases: messages, case: one } = ctx.messages.desk;
  const { id, subject, cause, openedAt, closedAt, takenBy, reportCount, strangerReportCount, reason, held } =
    of;
  const count = reportCount + strangerReportCount;
  const owner = subject.type === "builder" || subject.type === "message" ? null : subject.owner;
  const facts = [
    ...(owner === null ? [] : [messages.by({ username: owner })]),
    count > 0 ? messages.reports({ count }) : messages.causes[cause ?? "act"],
  ];
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={casePath(id ?? subject.id)}>
            <bdi safe>{subjectName(ctx, subject)}</bdi>
          </a>
          {held ? <span class="badge waiting">{one.held}</span> : ""}
          {subject.hidden && !held ? (
            <span class="badge bad">{subject.type === "builder" ? one.suspended : one.hidden}</span>
          ) : (
            ""
          )}
          {subject.isDeleted ? <span class="badge">{one.deleted}</span> : ""}
        </p>
        <p class="row-meta">
          <span safe>{facts.join(" · ")}</span> ·{" "}
          {closedAt === null
            ? messages.opened({ when: <Ago ctx={ctx} at={openedAt ?? 0} /> })
            : messages.closedAt({ when: <Ago ctx={ctx} at={closedAt} /> })}
        </p>
        {reason === null && held ? (
          <p class="row-meta">{<span safe>{brakeText(ctx, held.brake)}</span>}</p>
        ) : (
          ""
        )}
        {reason === null ? (
          ""
        ) : (
          <p class="case-reason" dir="auto" safe>
            {reason}
          </p>
        )}
      </div>
      {takenBy === null ? (
        ""
      ) : (
        <span class="badge" dir="auto" safe>
          {messages.taken({ username: takenBy })}
        </span>
      )}
    </li>
  );
}
