/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { isAtLeast } from "../../../core/identity/access/roles.ts";
import { auditRetentionMs, listAudit } from "../../../core/identity/audit/audit.ts";
import { communitySettingsOf } from "../../../core/identity/community-settings/community-settings.ts";
import { listAdmins, listBuilders } from "../../../core/identity/builders/member-list.ts";
import { currentHealth, type CurrentHealth } from "../../../core/services/checkup/current-health.ts";
import { backupHealth } from "../../../core/services/backups/backups.ts";
import { countWaitingApplications } from "../../../core/identity/applications/applications.ts";
import { getOverview } from "../../../core/services/history/overview.ts";
import { countWaiting } from "../../../core/services/moderation/reports.ts";
import { Heading } from "../../parts/layout.tsx";
import { Empty, More, relativeTime, Time } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { adminPage, moderatorPage, type PersonContext, type View } from "../../request/route.ts";
import { AuditRows } from "../../parts/audit-rows.tsx";
import { BuilderRow } from "./builders.tsx";
import { healthSummary } from "./health.tsx";

const LATEST = { limit: 5 };

/** The start page for admins, and the audit log. */
export const adminPages = [
  moderatorPage("GET", "/admin", (ctx) =>
    // Moderators begin with the cases.
    isAtLeast(ctx.person.role, "admin") ? overview(ctx) : { to: "/admin/cases" },
  ),
  adminPage("GET", "/admin/audit", (ctx) => auditView(ctx)),
];

async function overview(ctx: PersonContext): Promise<View> {
  const state = await currentHealth(ctx.core, ctx.person.caller);
  const { core, person } = ctx;
  const messages = ctx.messages.admin.overview;
  const newest = listBuilders(core, person.caller, {}, LATEST).nodes;
  const latest = listAudit(core, person.caller, { of: "all" }, LATEST).nodes;
  return {
    title: ctx.messages.admin.title,
    body: (
      <>
        <Heading title={ctx.messages.admin.title}>
          <p>{messages.signUp[communitySettingsOf(core).joining]}</p>
        </Heading>
        <HealthLine ctx={ctx} state={state} />
        <Tiles ctx={ctx} />
        <Backups ctx={ctx} />
        <Part title={messages.newest} href="/admin/builders" all={messages.allBuilders}>
          <ul class="rows">
            {newest.map((builder) => (
              <BuilderRow builder={builder} ctx={ctx} />
            ))}
          </ul>
        </Part>
        <Part title={messages.admins}>
          <ul class="rows">
            {listAdmins(core, person.caller).map((builder) => (
              <BuilderRow builder={builder} ctx={ctx} />
            ))}
          </ul>
        </Part>
        <Part title={messages.lately} href="/admin/audit" all={messages.wholeLog}>
          {latest.length === 0 ? (
            <p class="hint">{messages.nothing}</p>
          ) : (
            <AuditRows entries={latest} ctx={ctx} isForAdmins />
          )}
        </Part>
      </>
    ),
  };
}

/** The state of the server in one line. Only severe problems are an alert. */
function HealthLine({ ctx, state }: { ctx: PersonContext; state: CurrentHealth }) {
  const isSevere = state.severity === "severe";
  return (
    <p class={isSevere ? "fault-box" : undefined} role={isSevere ? "alert" : undefined}>
      <span safe>{healthSummary(ctx, state)}</span>{" "}
      <a href="/admin/health">{ctx.messages.admin.overview.health}</a>
    </p>
  );
}

/** Counts above 99 are shown as “99+”. */
const COUNTED = 100;

/** The figures at a glance, without zeros. Each tile leads to the page with the details. */
function Tiles({ ctx }: { ctx: PersonContext }) {
  const { core, person } = ctx;
  const { tiles: messages } = ctx.messages.admin.overview;
  const { figure, capped, size } = ctx.messages.formats;
  const figures = getOverview(core, person.caller);
  const cases = countWaiting(core, person.caller, COUNTED);
  const applications = countWaitingApplications(core, person.caller, COUNTED);
  const backups = backupHealth(core, person.caller);
  return (
    <ul class="tiles">
      <Tile href="/admin/builders" label={messages.members} value={figure(figures.members)}>
        {applications === 0
          ? ""
          : messages.applications({ count: applications, shown: capped(applications) })}
      </Tile>
      {figures.active === 0 ? (
        ""
      ) : (
        <Tile href="/admin/statistics" label={messages.active} value={figure(figures.active)} />
      )}
      {figures.posts === 0 ? (
        ""
      ) : (
        <Tile href="/admin/statistics" label={messages.posts} value={figure(figures.posts)}>
          {figures.replies === 0
            ? ""
            : messages.replies({ count: figures.replies, shown: figure(figures.replies) })}
        </Tile>
      )}
      {cases === 0 ? "" : <Tile href="/admin/cases" label={messages.cases} value={capped(cases)} isWarning />}
      {figures.waiting === 0 && figures.failing === 0 ? (
        ""
      ) : (
        <Tile
          href="/admin/health"
          label={messages.deliveries}
          value={figure(figures.waiting)}
          isWarning={figures.failing > 0}
        >
          {figures.failing === 0 ? "" : messages.failing({ count: figures.failing })}
        </Tile>
      )}
      {backups === undefined ? (
        ""
      ) : (
        <Tile
          href="/admin/health"
          label={messages.backup}
          value={
            backups.last
              ? relativeTime(ctx.messages, backups.last.at - core.clock.now())
              : messages.noneBackup
          }
          isWarning={!backups.last || backups.isLate || backups.failed !== undefined}
        >
          {backups.failed ? messages.backupFailed : backups.isLate ? messages.backupLate : ""}
        </Tile>
      )}
      {figures.freeBytes === null || figures.databaseBytes === null ? (
        ""
      ) : (
        <Tile href="/admin/health" label={messages.disk} value={size(figures.freeBytes)}>
          {messages.database({ size: size(figures.databaseBytes) })}
        </Tile>
      )}
      {figures.version === undefined ? (
        ""
      ) : (
        <Tile href="/admin/health" label={messages.version} value={figures.version} />
      )}
    </ul>
  );
}

/** A figure that needs attention has a coloured edge and value. */
function Tile({
  href,
  label,
  value,
  isWarning = false,
  children,
}: PropsWithChildren<{ href: string; label: string; value: string; isWarning?: boolean }>) {
  return (
    <li>
      <a class={isWarning ? "tile warns" : "tile"} href={href}>
        <span class="tile-label" safe>
          {label}
        </span>{" "}
        <span class="tile-value" safe>
          {value}
        </span>{" "}
        {children ? <span class="tile-more">{children}</span> : ""}
      </a>
    </li>
  );
}

/** The state of the scheduled backups, or a hint that none are scheduled. */
function Backups({ ctx }: { ctx: PersonContext }) {
  const messages = ctx.messages.admin.backups;
  const health = backupHealth(ctx.core, ctx.person.caller);
  if (!health) return <p class="hint">{messages.none}</p>;
  const { last, failed, isLate, rehearsal } = health;
  return (
    <section class="part">
      <div class="part-head">
        <h2>{messages.title}</h2>
      </div>
      {last ? (
        <p>
          {messages.last({
            megabytes: Math.ceil(last.bytes / 1_000_000),
            seconds: Math.ceil(last.ms / 1000),
            when: <Time ctx={ctx} at={last.at} />,
            name: <code safe>{last.name}</code>,
          })}
        </p>
      ) : (
        <p>{messages.notYet}</p>
      )}
      {isLate && (
        <p class="fault-box" role="alert">
          {messages.late}
        </p>
      )}
      {failed && (
        <p class="fault-box" role="alert">
          {messages.failed({
            when: <Time ctx={ctx} at={failed.at} />,
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
          {messages.rehearsed({
            when: <Time ctx={ctx} at={rehearsal.last.at} />,
            name: <code safe>{rehearsal.last.name}</code>,
          })}
        </p>
      )}
      {rehearsal?.failed && (
        <p class="fault-box" role="alert">
          {messages.rehearsalFailed({
            when: <Time ctx={ctx} at={rehearsal.failed.at} />,
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

function auditView(ctx: PersonContext): View {
  const messages = ctx.messages.admin.places;
  const page = listAudit(ctx.core, ctx.person.caller, { of: "all" }, pageRequest(ctx));
  return {
    title: messages.audit,
    body: (
      <>
        <Heading title={messages.audit}>
          <p>
            {ctx.messages.admin.audit.lead({
              kept: ctx.messages.formats.retention(auditRetentionMs(ctx.core)),
            })}
          </p>
        </Heading>
        {page.nodes.length === 0 ? (
          <Empty title={ctx.messages.admin.audit.empty}>
            <p>{ctx.messages.admin.audit.emptyLead}</p>
          </Empty>
        ) : (
          <AuditRows entries={page.nodes} ctx={ctx} isForAdmins />
        )}
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}
