/** @jsxImportSource @kitajs/html */
import { type Hidden, listHidden } from "../../../core/services/moderation/hidden.ts";
import {
  hide,
  ReasonDraft,
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
import { moderatorPage, type Notice, type PersonContext, type View } from "../../request/route.ts";
import { withReauthentication } from "../entry/reauthentication.tsx";
import { AdminHead } from "../admin/head.tsx";

const HERE = "/admin/reports";

/** Reports and their decisions. */
export const adminReportPages = [
  moderatorPage("GET", HERE, (ctx) => listView(ctx)),
  moderatorPage("POST", `${HERE}/:id/dismiss`, (ctx) =>
    actOnReport(ctx, "report-dismissed", () => dismissReport(ctx.core, ctx.person.caller, idOf(ctx))),
  ),
  moderatorPage("POST", `${HERE}/:id/reopen`, (ctx) =>
    actOnReport(ctx, "report-reopened", () => reopenReport(ctx.core, ctx.person.caller, idOf(ctx))),
  ),
  moderatorPage("POST", "/admin/things/:id/hide", (ctx) =>
    actOnItem(ctx, { thing: "thing-hidden", deleted: "report-upheld" }, () =>
      hide(ctx.core, ctx.person.caller, idOf(ctx), check(ReasonDraft, { reason: prose(ctx.form, "reason") })),
    ),
  ),
  moderatorPage("POST", "/admin/things/:id/restore", (ctx) =>
    actOnItem(ctx, { thing: "thing-restored", deleted: "report-reopened" }, () =>
      restore(ctx.core, ctx.person.caller, idOf(ctx)),
    ),
  ),
  moderatorPage(
    "POST",
    `${HERE}/builders/:id/suspend`,
    withReauthentication(listAddress, (ctx) =>
      actOnReport(ctx, "builder-suspended", () =>
        suspendBuilder(
          ctx.core,
          ctx.person.caller,
          idOf(ctx),
          check(ReasonDraft, { reason: prose(ctx.form, "reason") }),
        ),
      ),
    ),
  ),
  moderatorPage(
    "POST",
    `${HERE}/builders/:id/restore`,
    withReauthentication(listAddress, (ctx) =>
      actOnReport(ctx, "builder-restored", () => restoreBuilder(ctx.core, ctx.person.caller, idOf(ctx))),
    ),
  ),
];

/** If the subject was deleted meanwhile, only its reports are settled. */
async function actOnItem(
  ctx: PersonContext,
  notices: Record<"thing" | "deleted", Notice>,
  work: () => Subject,
) {
  const { isDeleted } = await ctx.write(work);
  return { to: listAddress(ctx), notice: isDeleted ? notices.deleted : notices.thing };
}

async function actOnReport(ctx: PersonContext, notice: Notice, work: () => unknown) {
  await ctx.write(work);
  return { to: listAddress(ctx), notice };
}

/** Returns the URL of the list that the form was sent from. */
function listAddress({ form }: PersonContext): string {
  const state = form.get("state");
  return state === "settled" || state === "hidden" ? `${HERE}?state=${state}` : HERE;
}

/** Returns the id of a report or a subject, or the username of a builder. */
function idOf({ params }: PersonContext): string {
  return params["id"] ?? "";
}

function listView(ctx: PersonContext): View {
  if (ctx.query.get("state") === "hidden") return hiddenView(ctx);
  const messages = ctx.messages.moderation.reports;
  const state = ctx.query.get("state") === "settled" ? "settled" : "open";
  const page = listReports(ctx.core, ctx.person.caller, { state }, pageRequest(ctx));
  return {
    title: messages.title,
    body: (
      <>
        <AdminHead ctx={ctx} title={messages.title}>
          <p>{ctx.messages.moderation.reports[state]}</p>
        </AdminHead>
        <Rows
          nodes={page.nodes}
          empty={state === "open" ? messages.nothingWaits : messages.nothingAnswered}
          lead={state === "open" ? messages.nothingWaitsLead : messages.nothingAnsweredLead}
          row={(report) => <ReportRow report={report} ctx={ctx} />}
        />
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}

function hiddenView(ctx: PersonContext): View {
  const { list } = ctx.messages.moderation.hidden;
  const page = listHidden(ctx.core, ctx.person.caller, pageRequest(ctx));
  return {
    title: list.title,
    body: (
      <>
        <AdminHead ctx={ctx} title={list.title}>
          <p>{list.lead}</p>
        </AdminHead>
        <Rows
          nodes={page.nodes}
          empty={list.nothing}
          lead={list.nothingLead}
          row={(hidden) => <HiddenRow hidden={hidden} ctx={ctx} />}
        />
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}

function HiddenRow({ hidden: { subject, hiddenAt }, ctx }: { hidden: Hidden; ctx: PersonContext }) {
  const { reports, answers, hidden: messages } = ctx.messages.moderation;
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
          {messages.when({ when: <Ago ctx={ctx} at={hiddenAt} /> })}
        </p>
      </div>
      <div class="actions">
        <ActionForm
          ctx={ctx}
          action={`/admin/things/${subject.id}/restore`}
          button={answers.show}
          about={subject}
          list="hidden"
        />
      </div>
    </li>
  );
}

function ReportRow({ report, ctx }: { report: Report; ctx: PersonContext }) {
  const { subject, settled } = report;
  const messages = ctx.messages.moderation.reports;
  const said = report.asReported?.text ?? subject.text;
  // The text of an existing subject is labelled as the reported version, because the subject may have been
  // edited. Messages cannot be edited.
  const isOfBefore = !subject.isDeleted && subject.type !== "message";
  const name = subject.type === "message" ? subject.owner && `@${subject.owner}` : subject.title;
  return (
    <li class="report">
      <div class="row-main">
        <p class="row-title" dir="auto">
          {name === null
            ? messages.gone[subject.type]
            : messages.named[subject.type]({
                title: subject.isDeleted ? (
                  <bdi safe>{name}</bdi>
                ) : (
                  <a href={addressOf(subject)}>
                    <bdi safe>{name}</bdi>
                  </a>
                ),
              })}{" "}
          {subject.hidden && (
            <span class="badge bad">{subject.type === "builder" ? messages.suspended : messages.hidden}</span>
          )}{" "}
          {subject.isDeleted && name !== null && <span class="badge">{messages.deleted}</span>}
        </p>
        <p class="row-meta">
          <span safe>
            {subject.owner && subject.type !== "builder" && subject.type !== "message"
              ? `${messages.by({ username: subject.owner })} · `
              : ""}
          </span>
          {messages.reported({
            reporter: <span safe>{`@${report.reporter}`}</span>,
            when: <Ago ctx={ctx} at={report.createdAt} />,
          })}
        </p>
        {said === undefined ? (
          ""
        ) : (
          <>
            {isOfBefore ? <p class="row-meta">{ctx.messages.feed.history.reported}</p> : ""}
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
            {messages.outcomes[settled.outcome][settled.by === null ? "nobody" : "somebody"]({
              when: <Ago ctx={ctx} at={settled.at} />,
              who: <span safe>{`@${settled.by ?? ""}`}</span>,
            })}
          </p>
        )}
      </div>
      <div class="actions">
        <Answers report={report} ctx={ctx} />
      </div>
    </li>
  );
}

function addressOf({ type, id, title, owner }: Subject): string {
  if (type === "message") return `/admin/builders/${owner ?? ""}`;
  if (type === "builder") return `/admin/builders/${title ?? ""}`;
  return `/${type}s/${id}`;
}

function Answers({ report, ctx }: { report: Report; ctx: PersonContext }) {
  const messages = ctx.messages.moderation.answers;
  const { subject, settled } = report;
  const list = listOf(report);
  // Without a copy of the subject there is nothing to reopen or restore.
  if (settled && (settled.outcome === "gone" || subject.title === null)) return "";
  if (settled?.outcome === "dismissed")
    return (
      <ActionForm
        ctx={ctx}
        action={`${HERE}/${report.id}/reopen`}
        button={messages.openAgain}
        about={subject}
        list={list}
      />
    );
  // A message cannot be hidden, so the actions apply to its author.
  const isBuilder = subject.type === "builder" || subject.type === "message";
  if (subject.isDeleted) return <AnswersToDeleted report={report} ctx={ctx} isOfBuilder={isBuilder} />;
  const username = (subject.type === "message" ? subject.owner : subject.title) ?? "";
  const place = isBuilder ? `${HERE}/builders/${username}` : `/admin/things/${subject.id}`;
  if (subject.hidden || settled?.outcome === "upheld") {
    const said = isBuilder ? messages.letIn : messages.show;
    return <ActionForm ctx={ctx} action={`${place}/restore`} button={said} about={subject} list={list} />;
  }
  return (
    <>
      <ActionForm
        ctx={ctx}
        action={`${HERE}/${report.id}/dismiss`}
        button={messages.dismiss}
        about={subject}
        list={list}
      />
      <ActionForm
        ctx={ctx}
        action={isBuilder ? `${place}/suspend` : `${place}/hide`}
        button={
          subject.type === "message"
            ? messages.suspendWho({ username })
            : isBuilder
              ? messages.suspend
              : messages.hide
        }
        kind="danger"
        about={subject}
        list={list}
        reason={messages.reason}
      />
    </>
  );
}

/** The actions for the reports of a deleted subject. A deleted builder has no actions. */
function AnswersToDeleted({
  report,
  ctx,
  isOfBuilder,
}: {
  report: Report;
  ctx: PersonContext;
  isOfBuilder: boolean;
}) {
  const messages = ctx.messages.moderation.answers;
  const { subject, settled } = report;
  const list = listOf(report);
  const place = `/admin/things/${subject.id}`;
  if (settled)
    return isOfBuilder ? (
      ""
    ) : (
      <ActionForm
        ctx={ctx}
        action={`${place}/restore`}
        button={messages.openAgain}
        about={subject}
        list={list}
      />
    );
  return (
    <>
      <ActionForm
        ctx={ctx}
        action={`${HERE}/${report.id}/dismiss`}
        button={messages.dismiss}
        about={subject}
        list={list}
      />
      {isOfBuilder ? (
        ""
      ) : (
        <ActionForm
          ctx={ctx}
          action={`${place}/hide`}
          button={messages.uphold}
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

function ActionForm({
  ctx,
  action,
  button,
  about,
  list,
  kind = "quiet",
  reason,
}: {
  ctx: PersonContext;
  action: string;
  button: string;
  about: Subject;
  /** The list that contains the form. */
  list: "open" | "settled" | "hidden";
  kind?: "quiet" | "danger";
  /** The label of the reason field. Without it the form asks for no reason. */
  reason?: string | undefined;
}) {
  const { type, title } = about;
  const label = ctx.messages.moderation.answers.about[type]({ act: button, title: title ?? "" });
  return (
    <Form action={action} ctx={ctx} kind="inline" label={label}>
      <input type="hidden" name="state" value={list} />
      {reason ? (
        <input name="reason" maxlength={500} aria-label={reason} placeholder={reason} dir="auto" required />
      ) : (
        ""
      )}
      <Button kind={kind}>{button}</Button>
    </Form>
  );
}
