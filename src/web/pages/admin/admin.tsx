/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { isAtLeast } from "../../../core/identity/access/roles.ts";
import { auditRetentionMs, listAudit } from "../../../core/identity/audit/audit.ts";
import { communitySettingsOf } from "../../../core/identity/community-settings/community-settings.ts";
import { listAdmins, listBuilders } from "../../../core/identity/builders/member-list.ts";
import { currentHealth, type CurrentHealth } from "../../../core/services/checkup/current-health.ts";
import { backupHealth } from "../../../core/services/backups/backups.ts";
import { countWaitingApplications } from "../../../core/identity/applications/applications.ts";
import { listReports } from "../../../core/services/moderation/reports.ts";
import { Empty, More, Time } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { adminPage, moderatorPage, type PersonAsk, type View } from "../../request/route.ts";
import { AuditRows } from "../../parts/audit-rows.tsx";
import { BuilderRow } from "./builders.tsx";
import { AdminHead } from "./head.tsx";
import { healthSummary } from "./health.tsx";

const LATEST = { limit: 5 };

/** The first page for admins, and the audit log. */
export const adminPages = [
  moderatorPage("GET", "/admin", (ask) =>
    // Of these pages moderators have the reports and the roll.
    isAtLeast(ask.person.role, "admin") ? overview(ask) : { to: "/admin/reports" },
  ),
  adminPage("GET", "/admin/audit", (ask) => auditView(ask)),
];

async function overview(ask: PersonAsk): Promise<View> {
  const state = await currentHealth(ask.core, ask.person.caller);
  const { core, person } = ask;
  const words = ask.words.admin.overview;
  const newest = listBuilders(core, person.caller, {}, LATEST).nodes;
  const latest = listAudit(core, person.caller, { of: "all" }, LATEST).nodes;
  return {
    title: ask.words.admin.title,
    body: (
      <>
        <AdminHead ask={ask} title={ask.words.admin.title}>
          <p>{words.signUp[communitySettingsOf(core).joining]}</p>
        </AdminHead>
        <Severe ask={ask} state={state} />
        <Waiting ask={ask} />
        <Backups ask={ask} />
        <Part title={words.newest} href="/admin/builders" all={words.allBuilders}>
          <ul class="rows">
            {newest.map((builder) => (
              <BuilderRow builder={builder} ask={ask} />
            ))}
          </ul>
        </Part>
        <Part title={words.admins}>
          <ul class="rows">
            {listAdmins(core, person.caller).map((builder) => (
              <BuilderRow builder={builder} ask={ask} />
            ))}
          </ul>
        </Part>
        <Part title={words.lately} href="/admin/audit" all={words.wholeLog}>
          {latest.length === 0 ? (
            <p class="hint">{words.nothing}</p>
          ) : (
            <AuditRows entries={latest} ask={ask} isForAdmins />
          )}
        </Part>
      </>
    ),
  };
}

/** Only what cannot wait: the rest stands on the page of its own. */
function Severe({ ask, state }: { ask: PersonAsk; state: CurrentHealth }) {
  if (state.severity !== "severe") return "";
  return (
    <p class="fault-box" role="alert">
      <span safe>{healthSummary(ask, state)}</span>{" "}
      <a href="/admin/health">{ask.words.admin.overview.health}</a>
    </p>
  );
}

/** Open reports and waiting applications, a line each. */
function Waiting({ ask }: { ask: PersonAsk }) {
  const words = ask.words.admin.overview;
  const { nodes, hasNextPage } = listReports(ask.core, ask.person.caller, { state: "open" }, { limit: 20 });
  return (
    <>
      <Asking ask={ask} />
      {nodes.length === 0 ? (
        <p class="hint">{words.noReport}</p>
      ) : (
        <p>
          <a href="/admin/reports" safe>
            {hasNextPage
              ? words.reportsOrMore({ count: nodes.length })
              : words.reports({ count: nodes.length })}
          </a>
        </p>
      )}
    </>
  );
}

const COUNTED = 100;

/** The waiting applications, in one line, where there are any. */
function Asking({ ask }: { ask: PersonAsk }) {
  const words = ask.words.admin.applications;
  const count = countWaitingApplications(ask.core, ask.person.caller, COUNTED);
  if (count === 0) return "";
  return (
    <p>
      <a href="/admin/applications" safe>
        {count < COUNTED ? words.counted({ count }) : words.countedOrMore({ count })}
      </a>
    </p>
  );
}

/** The state of the scheduled backups, or that none are scheduled. */
function Backups({ ask }: { ask: PersonAsk }) {
  const words = ask.words.admin.backups;
  const health = backupHealth(ask.core, ask.person.caller);
  if (!health) return <p class="hint">{words.none}</p>;
  const { last, failed, isLate, rehearsal } = health;
  return (
    <section class="part">
      <div class="part-head">
        <h2>{words.title}</h2>
      </div>
      {last ? (
        <p>
          {words.last({
            megabytes: Math.ceil(last.bytes / 1_000_000),
            seconds: Math.ceil(last.ms / 1000),
            when: <Time ask={ask} at={last.at} />,
            name: <code safe>{last.name}</code>,
          })}
        </p>
      ) : (
        <p>{words.notYet}</p>
      )}
      {isLate && (
        <p class="fault-box" role="alert">
          {words.late}
        </p>
      )}
      {failed && (
        <p class="fault-box" role="alert">
          {words.failed({
            when: <Time ask={ask} at={failed.at} />,
            reason: (
              <span lang="en" safe>
                {failed.reason}
              </span>
            ),
          })}
        </p>
      )}
      {rehearsal?.last && (
        <p>
          {words.rehearsed({
            when: <Time ask={ask} at={rehearsal.last.at} />,
            name: <code safe>{rehearsal.last.name}</code>,
          })}
        </p>
      )}
      {rehearsal?.failed && (
        <p class="fault-box" role="alert">
          {words.rehearsalFailed({
            when: <Time ask={ask} at={rehearsal.failed.at} />,
            reason: (
              <span lang="en" safe>
                {rehearsal.failed.reason}
              </span>
            ),
          })}
        </p>
      )}
    </section>
  );
}

function Part({
  title,
  href,
  all,
  children,
}: PropsWithChildren<{ title: string; href?: string; all?: string }>) {
  return (
    <section class="part">
      <div class="part-head">
        <h2 safe>{title}</h2>
        {href && (
          <a href={href} safe>
            {all ?? ""}
          </a>
        )}
      </div>
      {children}
    </section>
  );
}

function auditView(ask: PersonAsk): View {
  const words = ask.words.admin.places;
  const page = listAudit(ask.core, ask.person.caller, { of: "all" }, pageRequest(ask));
  return {
    title: words.audit,
    body: (
      <>
        <AdminHead ask={ask} title={words.audit}>
          <p>{ask.words.admin.audit.lead({ kept: ask.words.formats.span(auditRetentionMs(ask.core)) })}</p>
        </AdminHead>
        {page.nodes.length === 0 ? (
          <Empty title={ask.words.admin.audit.empty}>
            <p>{ask.words.admin.audit.emptyLead}</p>
          </Empty>
        ) : (
          <AuditRows entries={page.nodes} ask={ask} isForAdmins />
        )}
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}
