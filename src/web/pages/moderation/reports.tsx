/** @jsxImportSource @kitajs/html */
import { type Hidden, listHidden } from "../../../core/services/moderation/hidden.ts";
import {
  hide,
  HidingDraft,
  restore,
  restoreBuilder,
  suspendBuilder,
} from "../../../core/services/moderation/moderation.ts";
import {
  dismissReport,
  listReports,
  reopenReport,
  type Report,
} from "../../../core/services/moderation/reports.ts";
import type { Subject } from "../../../core/services/moderation/subjects.ts";
import { renderMarkdown } from "../../../core/base/markdown.ts";
import { check } from "../../../core/base/check.ts";
import { prose } from "../../request/forms.ts";
import { Ago, Button, Form, More, Rows } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { moderatorPage, type Notice, type PersonAsk, type View } from "../../request/route.ts";
import { withReauthentication } from "../entry/reauthentication.tsx";
import { AdminHead } from "../admin/head.tsx";

const HERE = "/admin/reports";

/** Reports and their decisions. */
export const adminReportPages = [
  moderatorPage("GET", HERE, (ask) => listView(ask)),
  moderatorPage("POST", `${HERE}/:id/dismiss`, (ask) =>
    act(ask, "report-dismissed", () => dismissReport(ask.core, ask.person.caller, idOf(ask))),
  ),
  moderatorPage("POST", `${HERE}/:id/reopen`, (ask) =>
    act(ask, "report-reopened", () => reopenReport(ask.core, ask.person.caller, idOf(ask))),
  ),
  moderatorPage("POST", "/admin/things/:id/hide", (ask) =>
    actOnThing(ask, { thing: "thing-hidden", deleted: "report-upheld" }, () =>
      hide(
        ask.core,
        ask.person.caller,
        idOf(ask),
        check(HidingDraft, { reason: prose(ask.form, "reason") || undefined }),
      ),
    ),
  ),
  moderatorPage("POST", "/admin/things/:id/restore", (ask) =>
    actOnThing(ask, { thing: "thing-restored", deleted: "report-reopened" }, () =>
      restore(ask.core, ask.person.caller, idOf(ask)),
    ),
  ),
  moderatorPage(
    "POST",
    `${HERE}/builders/:id/suspend`,
    withReauthentication(listAddress, (ask) =>
      act(ask, "builder-suspended", () => suspendBuilder(ask.core, ask.person.caller, idOf(ask))),
    ),
  ),
  moderatorPage(
    "POST",
    `${HERE}/builders/:id/restore`,
    withReauthentication(listAddress, (ask) =>
      act(ask, "builder-restored", () => restoreBuilder(ask.core, ask.person.caller, idOf(ask))),
    ),
  ),
];

/** The subject was deleted, so only its reports were decided. */
async function actOnThing(ask: PersonAsk, notices: Record<"thing" | "deleted", Notice>, work: () => Subject) {
  const { isDeleted } = await ask.write(work);
  return { to: listAddress(ask), notice: isDeleted ? notices.deleted : notices.thing };
}

async function act(ask: PersonAsk, notice: Notice, work: () => unknown) {
  await ask.write(work);
  return { to: listAddress(ask), notice };
}

/** The state of the list with the form. */
function listAddress({ form }: PersonAsk): string {
  const state = form.get("state");
  return state === "settled" || state === "hidden" ? `${HERE}?state=${state}` : HERE;
}

/** The id of a report or a subject, or a builder's username. */
function idOf({ params }: PersonAsk): string {
  return params["id"] ?? "";
}

function listView(ask: PersonAsk): View {
  if (ask.query.get("state") === "hidden") return hiddenView(ask);
  const words = ask.words.moderation.reports;
  const state = ask.query.get("state") === "settled" ? "settled" : "open";
  const page = listReports(ask.core, ask.person.caller, { state }, pageRequest(ask));
  return {
    title: words.title,
    body: (
      <>
        <AdminHead ask={ask} title={words.title}>
          <p>{ask.words.moderation.reports[state]}</p>
        </AdminHead>
        <Rows
          nodes={page.nodes}
          empty={state === "open" ? words.nothingWaits : words.nothingAnswered}
          lead={state === "open" ? words.nothingWaitsLead : words.nothingAnsweredLead}
          row={(report) => <ReportRow report={report} ask={ask} />}
        />
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}

function hiddenView(ask: PersonAsk): View {
  const { list } = ask.words.moderation.hidden;
  const page = listHidden(ask.core, ask.person.caller, pageRequest(ask));
  return {
    title: list.title,
    body: (
      <>
        <AdminHead ask={ask} title={list.title}>
          <p>{list.lead}</p>
        </AdminHead>
        <Rows
          nodes={page.nodes}
          empty={list.nothing}
          lead={list.nothingLead}
          row={(hidden) => <HiddenRow hidden={hidden} ask={ask} />}
        />
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}

function HiddenRow({ hidden: { subject, hiddenAt }, ask }: { hidden: Hidden; ask: PersonAsk }) {
  const { reports, answers, hidden: words } = ask.words.moderation;
  return (
    <li class="report">
      <div class="row-main">
        <p class="row-title" dir="auto">
          {reports.named[subject.type]({
            title: (
              <a href={addressOf(subject)}>
                <bdi safe>{subject.title ?? ""}</bdi>
              </a>
            ),
          })}
        </p>
        <p class="row-meta">
          <span safe>{subject.owner ? `${reports.by({ username: subject.owner })} · ` : ""}</span>
          {words.when({ when: <Ago ask={ask} at={hiddenAt} /> })}
        </p>
      </div>
      <div class="actions">
        <Act
          ask={ask}
          action={`/admin/things/${subject.id}/restore`}
          words={answers.show}
          about={subject}
          list="hidden"
        />
      </div>
    </li>
  );
}

function ReportRow({ report, ask }: { report: Report; ask: PersonAsk }) {
  const { subject, settled } = report;
  const words = ask.words.moderation.reports;
  const said = report.asReported?.text ?? subject.text;
  // Beside what is there now; a message is never edited.
  const isOfBefore = !subject.isDeleted && subject.type !== "message";
  const name = subject.type === "message" ? subject.owner && `@${subject.owner}` : subject.title;
  return (
    <li class="report">
      <div class="row-main">
        <p class="row-title" dir="auto">
          {name === null
            ? words.gone[subject.type]
            : words.named[subject.type]({
                title: subject.isDeleted ? (
                  <bdi safe>{name}</bdi>
                ) : (
                  <a href={addressOf(subject)}>
                    <bdi safe>{name}</bdi>
                  </a>
                ),
              })}{" "}
          {subject.hidden && (
            <span class="badge bad">{subject.type === "builder" ? words.suspended : words.hidden}</span>
          )}{" "}
          {subject.isDeleted && name !== null && <span class="badge">{words.deleted}</span>}
        </p>
        <p class="row-meta">
          <span safe>
            {subject.owner && subject.type !== "builder" && subject.type !== "message"
              ? `${words.by({ username: subject.owner })} · `
              : ""}
          </span>
          {words.reported({
            reporter: <span safe>{`@${report.reporter}`}</span>,
            when: <Ago ask={ask} at={report.createdAt} />,
          })}
        </p>
        {said === undefined ? (
          ""
        ) : (
          <>
            {isOfBefore ? <p class="row-meta">{ask.words.feed.history.reported}</p> : ""}
            <div class="prose reported" dir="auto">
              {renderMarkdown(said, { below: 1, id: report.id })}
            </div>
          </>
        )}
        <blockquote class="reason" dir="auto" safe>
          {report.reason}
        </blockquote>
        {settled && (
          <p class="row-meta">
            {words.outcomes[settled.outcome][settled.by === null ? "nobody" : "somebody"]({
              when: <Ago ask={ask} at={settled.at} />,
              who: <span safe>{`@${settled.by ?? ""}`}</span>,
            })}
          </p>
        )}
      </div>
      <div class="actions">
        <Answers report={report} ask={ask} />
      </div>
    </li>
  );
}

function addressOf({ type, id, title, owner }: Subject): string {
  if (type === "message") return `/admin/builders/${owner ?? ""}`;
  if (type === "builder") return `/admin/builders/${title ?? ""}`;
  return `/${type}s/${id}`;
}

function Answers({ report, ask }: { report: Report; ask: PersonAsk }) {
  const words = ask.words.moderation.answers;
  const { subject, settled } = report;
  const list = listOf(report);
  // Without its copy there is nothing to look at any more.
  if (settled && (settled.outcome === "gone" || subject.title === null)) return "";
  if (settled?.outcome === "dismissed")
    return (
      <Act
        ask={ask}
        action={`${HERE}/${report.id}/reopen`}
        words={words.openAgain}
        about={subject}
        list={list}
      />
    );
  // A message is nobody's to hide: what can be done is done to who wrote it.
  const isBuilder = subject.type === "builder" || subject.type === "message";
  if (subject.isDeleted) return <AnswersToDeleted report={report} ask={ask} isOfBuilder={isBuilder} />;
  const username = (subject.type === "message" ? subject.owner : subject.title) ?? "";
  const place = isBuilder ? `${HERE}/builders/${username}` : `/admin/things/${subject.id}`;
  if (subject.hidden || settled?.outcome === "upheld") {
    const said = isBuilder ? words.letIn : words.show;
    return <Act ask={ask} action={`${place}/restore`} words={said} about={subject} list={list} />;
  }
  return (
    <>
      <Act
        ask={ask}
        action={`${HERE}/${report.id}/dismiss`}
        words={words.dismiss}
        about={subject}
        list={list}
      />
      <Act
        ask={ask}
        action={isBuilder ? `${place}/suspend` : `${place}/hide`}
        words={
          subject.type === "message" ? words.suspendWho({ username }) : isBuilder ? words.suspend : words.hide
        }
        kind="danger"
        about={subject}
        list={list}
        reason={isBuilder ? undefined : words.reason}
      />
    </>
  );
}

/** A deleted subject has no actions but those on its reports. A deleted builder has none. */
function AnswersToDeleted({
  report,
  ask,
  isOfBuilder,
}: {
  report: Report;
  ask: PersonAsk;
  isOfBuilder: boolean;
}) {
  const words = ask.words.moderation.answers;
  const { subject, settled } = report;
  const list = listOf(report);
  const place = `/admin/things/${subject.id}`;
  if (settled)
    return isOfBuilder ? (
      ""
    ) : (
      <Act ask={ask} action={`${place}/restore`} words={words.openAgain} about={subject} list={list} />
    );
  return (
    <>
      <Act
        ask={ask}
        action={`${HERE}/${report.id}/dismiss`}
        words={words.dismiss}
        about={subject}
        list={list}
      />
      {isOfBuilder ? (
        ""
      ) : (
        <Act
          ask={ask}
          action={`${place}/hide`}
          words={words.uphold}
          kind="danger"
          about={subject}
          list={list}
        />
      )}
    </>
  );
}

function listOf({ settled }: Report): "open" | "settled" {
  return settled ? "settled" : "open";
}

function Act({
  ask,
  action,
  words,
  about,
  list,
  kind = "quiet",
  reason,
}: {
  ask: PersonAsk;
  action: string;
  words: string;
  about: Subject;
  /** The list that the form is sent from. */
  list: "open" | "settled" | "hidden";
  kind?: "quiet" | "danger";
  /** Asks for one, by these words. */
  reason?: string | undefined;
}) {
  const { type, title } = about;
  const label = ask.words.moderation.answers.about[type]({ act: words, title: title ?? "" });
  return (
    <Form action={action} ask={ask} kind="inline" label={label}>
      <input type="hidden" name="state" value={list} />
      {reason ? (
        <input name="reason" maxlength={500} aria-label={reason} placeholder={reason} dir="auto" />
      ) : (
        ""
      )}
      <Button kind={kind}>{words}</Button>
    </Form>
  );
}
