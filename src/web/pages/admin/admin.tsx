/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { auditKeptMs, listAudit } from "../../../core/identity/audit/audit.ts";
import { listAdmins, listBuilders } from "../../../core/identity/builders/roll.ts";
import { presentState, type PresentState } from "../../../core/across/checkup/present.ts";
import { backupHealth } from "../../../core/across/backups/backups.ts";
import { listReports } from "../../../core/across/moderation/reports.ts";
import { Empty, More, Time } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/reading.ts";
import { forAdmins, type PersonAsk, type View } from "../../request/route.ts";
import { AuditRows } from "../account/account.tsx";
import { BuilderRow } from "./builders.tsx";
import { AdminHead } from "./head.tsx";
import { inOneSentence } from "./health.tsx";

const LATEST = { limit: 5 };

/** What runs the community looks at first, and the log of all that was done. */
export const adminPages = [
  forAdmins("GET", "/admin", (ask) => overview(ask)),
  forAdmins("GET", "/admin/audit", (ask) => auditView(ask)),
];

const SIGN_UP = {
  open: "Anybody may join.",
  invite: "Whoever has an invite link may join.",
  closed: "Nobody may join at the moment.",
} as const;

async function overview(ask: PersonAsk): Promise<View> {
  const state = await presentState(ask.core, ask.person.caller);
  const { core, person } = ask;
  const newest = listBuilders(core, person.caller, {}, LATEST).nodes;
  const latest = listAudit(core, person.caller, { of: "all" }, LATEST).nodes;
  return {
    title: "Admin",
    body: (
      <>
        <AdminHead ask={ask} title="Admin">
          <p>{SIGN_UP[core.policy.signup]} The operator decides that with GUILDHALL_SIGNUP.</p>
        </AdminHead>
        <Severe state={state} />
        <Waiting ask={ask} />
        <Backups ask={ask} />
        <Part title="Newest builders" href="/admin/builders" all="All builders">
          <ul class="rows">
            {newest.map((builder) => (
              <BuilderRow builder={builder} ask={ask} />
            ))}
          </ul>
        </Part>
        <Part title="Who runs the community">
          <ul class="rows">
            {listAdmins(core, person.caller).map((builder) => (
              <BuilderRow builder={builder} ask={ask} />
            ))}
          </ul>
        </Part>
        <Part title="What was done lately" href="/admin/audit" all="The whole log">
          {latest.length === 0 ? (
            <p class="hint">Nothing yet.</p>
          ) : (
            <AuditRows entries={latest} ask={ask} isForAdmins />
          )}
        </Part>
      </>
    ),
  };
}

/** Only what cannot wait: the rest stands on the page of its own. */
function Severe({ state }: { state: PresentState }) {
  if (state.severity !== "severe") return "";
  return (
    <p class="fault-box" role="alert">
      <span safe>{inOneSentence(state)}</span> <a href="/admin/health">Look at the server’s health</a>
    </p>
  );
}

/** What somebody waits for, in one line. */
function Waiting({ ask }: { ask: PersonAsk }) {
  const { nodes, hasNextPage } = listReports(ask.core, ask.person.caller, { state: "open" }, { limit: 20 });
  if (nodes.length === 0) return <p class="hint">No report waits for you.</p>;
  const count = `${nodes.length}${hasNextPage ? " or more" : ""}`;
  return (
    <p>
      <a href="/admin/reports" safe>
        {nodes.length === 1 && !hasNextPage ? "One report waits for you" : `${count} reports wait for you`}
      </a>
    </p>
  );
}

/** How the scheduled backups are, or that the operator has scheduled none. */
function Backups({ ask }: { ask: PersonAsk }) {
  const health = backupHealth(ask.core, ask.person.caller);
  if (!health)
    return (
      <p class="hint">The server makes no backups. The operator schedules them with GUILDHALL_BACKUP.</p>
    );
  const { last, failed, isLate, rehearsal } = health;
  return (
    <section class="part">
      <div class="part-head">
        <h2>Backups</h2>
      </div>
      {last ? (
        <p>
          The last verified backup was made at <Time ask={ask} at={last.at} /> UTC:{" "}
          <code safe>{last.name}</code>, {Math.ceil(last.bytes / 1_000_000)} MB unpacked, in{" "}
          {Math.ceil(last.ms / 1000)} s.
        </p>
      ) : (
        <p>There is no backup yet.</p>
      )}
      {isLate && (
        <p class="fault-box" role="alert">
          That is too long ago. The operator should look into the log.
        </p>
      )}
      {failed && (
        <p class="fault-box" role="alert">
          The last try, at <Time ask={ask} at={failed.at} /> UTC, failed: <span safe>{failed.reason}</span>
        </p>
      )}
      {rehearsal?.last && (
        <p>
          A restore was last tried at <Time ask={ask} at={rehearsal.last.at} /> UTC, and worked:{" "}
          <code safe>{rehearsal.last.name}</code>.
        </p>
      )}
      {rehearsal?.failed && (
        <p class="fault-box" role="alert">
          A restore that was tried at <Time ask={ask} at={rehearsal.failed.at} /> UTC failed:{" "}
          <span safe>{rehearsal.failed.reason}</span>
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
  const page = listAudit(ask.core, ask.person.caller, { of: "all" }, pageRequest(ask));
  return {
    title: "Audit log",
    body: (
      <>
        <AdminHead ask={ask} title="Audit log">
          <p>
            Every security act of everybody: who, what, from where. Kept for{" "}
            {ask.words.forms.span(auditKeptMs(ask.core))}.
          </p>
        </AdminHead>
        {page.nodes.length === 0 ? (
          <Empty title="Nothing yet">
            <p>Sign-ins, tokens, apps and what admins do will stand here.</p>
          </Empty>
        ) : (
          <AuditRows entries={page.nodes} ask={ask} isForAdmins />
        )}
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}
