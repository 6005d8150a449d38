/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import type { CoreError } from "../../../core/base/errors.ts";
import { renderMarkdown } from "../../../core/base/markdown.ts";
import { getPost } from "../../../core/community/feed/feed.ts";
import { getJob } from "../../../core/community/jobs/jobs.ts";
import { getProfiles } from "../../../core/community/profiles/profiles.ts";
import { getPrompt } from "../../../core/community/prompts/prompts.ts";
import { findLock } from "../../../core/community/feed/locks.ts";
import { findInMemberList } from "../../../core/identity/builders/member-list.ts";
import { isLimited } from "../../../core/identity/standing/standing.ts";
import {
  addCaseNote,
  type Case,
  CaseNoteDraft,
  getCase,
  releaseCase,
  takeCase,
} from "../../../core/services/moderation/cases.ts";
import { type Act, ACT_FACTS } from "../../../core/services/moderation/acts.ts";
import { decide } from "../../../core/services/moderation/decisions.ts";
import { isContent, type Subject } from "../../../core/services/moderation/subjects.ts";
import { keepingForm } from "../entry/reauthentication.tsx";
import { Heading } from "../../parts/layout.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { Differences } from "../../parts/differences.tsx";
import { actsOn, casePath, spamPath } from "../../parts/moderate-menu.tsx";
import { Ago, Button, Fault, Form, Time } from "../../parts/parts.tsx";
import { fieldErrorText } from "../../parts/sentences.ts";
import { field, readDraft, showAgainOnError } from "../../request/forms.ts";
import {
  moderatorPage,
  type Notice,
  type PageAnswer,
  type PersonContext,
  type View,
} from "../../request/route.ts";
import { brakeText, DecisionFields, DecisionRows, isAct, readActDraft } from "./acts.tsx";
import { subjectName } from "../../parts/subject-name.ts";

const HERE = "/admin/cases/:id";

/** The page of one case: content, reports, notes, decisions and the form to decide. */
export const casePages = [
  moderatorPage("GET", HERE, (ctx) => caseView(ctx)),
  moderatorPage("POST", `${HERE}/decide`, (ctx) => decideCase(ctx)),
  moderatorPage("POST", `${HERE}/take`, (ctx) =>
    change(ctx, "case-taken", () => takeCase(ctx.core, ctx.person.caller, idOf(ctx))),
  ),
  moderatorPage("POST", `${HERE}/release`, (ctx) =>
    change(ctx, "case-released", () => releaseCase(ctx.core, ctx.person.caller, idOf(ctx))),
  ),
  moderatorPage("POST", `${HERE}/notes`, (ctx) =>
    change(ctx, "note-added", () =>
      addCaseNote(ctx.core, ctx.person.caller, idOf(ctx), readDraft(CaseNoteDraft, ctx.form)),
    ),
  ),
];

function idOf({ params }: PersonContext): string {
  return params["id"] ?? "";
}

/** A subject to which nothing happened has no case yet, and its own id in the path. */
function pathOf({ id, subject }: Case): string {
  return casePath(id ?? subject.id);
}

/** A spammer is deleted on the page that previews it, so this form never does that. */
function decideCase(ctx: PersonContext): PageAnswer | Promise<PageAnswer> {
  const here = casePath(idOf(ctx));
  const act = field(ctx.form, "act");
  if (act === "remove_spammer") return { to: spamAddress(ctx) };
  const work = (now: PersonContext) =>
    showAgainOnError(
      async () => {
        const { subject } = getCase(now.core, now.person.caller, idOf(now));
        await now.write(() => decide(now.core, now.person.caller, subject.id, readActDraft(now)));
        return { to: here, notice: "decided" };
      },
      (error) => caseView(now, error),
    );
  return isAct(act) && ACT_FACTS[act].isGuarded ? keepingForm(here, work)(ctx) : work(ctx);
}

function spamAddress(ctx: PersonContext): string {
  const { subject } = getCase(ctx.core, ctx.person.caller, idOf(ctx));
  return spamPath(subject.owner ?? "");
}

function change(ctx: PersonContext, notice: Notice, work: () => unknown): Promise<PageAnswer> {
  return showAgainOnError(
    async () => {
      await ctx.write(work);
      return { to: casePath(idOf(ctx)), notice };
    },
    (error) => caseView(ctx, error),
  );
}

/** The content as it is now. */
interface Content {
  title: string;
  text: string;
  href: string;
  isReply: boolean;
  isThread: boolean;
}

function contentOf({ core, person: { caller } }: PersonContext, subject: Subject): Content | undefined {
  const { type, id } = subject;
  if (subject.isDeleted) return undefined;
  const plain = { title: "", isReply: false, isThread: false };
  switch (type) {
    case "post": {
      const { text, rootId } = getPost(core, caller, id);
      return { ...plain, text, href: `/posts/${id}`, isReply: rootId !== null, isThread: rootId === null };
    }
    case "job": {
      const { title, description, applyUrl } = getJob(core, caller, id);
      return { ...plain, title, text: `${description}\n\n${applyUrl}`, href: `/jobs/${id}` };
    }
    case "prompt": {
      const { title, body } = getPrompt(core, caller, id);
      return { ...plain, title, text: body, href: `/prompts/${id}` };
    }
    case "builder": {
      const [profile] = getProfiles(core, caller, [id]);
      return { ...plain, title: profile?.name ?? "", text: profile?.bio ?? "", href: `/@${subject.owner}` };
    }
    case "message":
      return { ...plain, text: subject.text ?? "", href: "" };
  }
}

function caseView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.desk.case;
  const found = getCase(ctx.core, ctx.person.caller, idOf(ctx));
  const { subject } = found;
  const content = contentOf(ctx, subject);
  const name = subjectName(ctx, subject);
  return {
    title: messages.title({ title: name }),
    error,
    isWide: true,
    body: (
      <>
        <Heading title={name} action={<Taking ctx={ctx} of={found} />}>
          <p class="case-states">
            <a href="/admin/cases">{messages.back}</a>
            <States ctx={ctx} of={found} />
          </p>
        </Heading>
        <div class="case">
          <div class="case-what">
            <SubjectNow ctx={ctx} of={found} content={content} />
            <Reports ctx={ctx} of={found} content={content} />
          </div>
          <div class="case-decide">
            <DecideForm ctx={ctx} of={found} content={content} error={error} />
            <Member ctx={ctx} of={found} />
          </div>
          <div class="case-more">
            <Notes ctx={ctx} of={found} error={error} />
            <section class="part">
              <h2>{messages.decisions}</h2>
              {found.decisions.length === 0 ? (
                <p class="hint">{messages.noDecisions}</p>
              ) : (
                <DecisionRows ctx={ctx} decisions={found.decisions} back={pathOf(found)} isOfCase />
              )}
            </section>
          </div>
        </div>
      </>
    ),
  };
}

function States({ ctx, of: { subject, held } }: { ctx: PersonContext; of: Case }) {
  const messages = ctx.messages.desk.case;
  const states = [
    ...(held ? [["waiting", messages.held] as const] : []),
    ...(subject.hidden && !held
      ? [["bad", subject.type === "builder" ? messages.suspended : messages.hidden] as const]
      : []),
    ...(subject.type === "post" && findLock(ctx.core, subject.id) !== undefined
      ? [["", messages.locked] as const]
      : []),
    ...(subject.isDeleted ? [["", messages.deleted] as const] : []),
  ];
  return (
    <>
      {states.map(([kind, text]) => (
        <>
          {" "}
          <span class={`badge ${kind}`}>{text}</span>
        </>
      ))}
    </>
  );
}

/**
 * The member who works on the case, and the button to take it or to release it. A case that another moderator
 * took can be released, and taken after that.
 */
function Taking({ ctx, of }: { ctx: PersonContext; of: Case }) {
  const { takenBy, state } = of;
  const messages = ctx.messages.desk.case;
  const isMine = takenBy === ctx.person.caller.username;
  return (
    <div class="taking">
      {takenBy === null ? (
        ""
      ) : (
        <span class="hint" safe>
          {isMine ? messages.takenByYou : messages.takenBy({ username: takenBy })}
        </span>
      )}
      {state === "closed" ? (
        ""
      ) : (
        <Form action={`${pathOf(of)}/${takenBy === null ? "take" : "release"}`} ctx={ctx} kind="inline">
          <Button kind="quiet">{takenBy === null ? messages.take : messages.release}</Button>
        </Form>
      )}
    </div>
  );
}

interface PartProps {
  ctx: PersonContext;
  of: Case;
  content: Content | undefined;
}

function SubjectNow({ ctx, of: { subject, held }, content }: PartProps) {
  const messages = ctx.messages.desk.case;
  const copy = subject.text;
  return (
    <section class="card" aria-label={messages.now}>
      <p class="case-by">
        {subject.owner === null ? "" : <a href={`/@${subject.owner}`} safe>{`@${subject.owner}`}</a>}
        {content && content.href !== "" ? <a href={content.href}>{messages.openPage}</a> : ""}
      </p>
      {held ? (
        <p class="held-by">
          <span safe>{brakeText(ctx, held.brake)}</span>
          {held.detail === "" ? "" : <bdi safe>{`: ${held.detail}`}</bdi>}
        </p>
      ) : (
        ""
      )}
      {content === undefined ? <p class="hint">{messages.gone}</p> : ""}
      {content && content.title !== "" ? (
        <p class="row-title" dir="auto" safe>
          {content.title}
        </p>
      ) : (
        ""
      )}
      <div class="prose" dir="auto">
        {renderMarkdown(content?.text ?? copy ?? "", { below: 1, id: subject.id })}
      </div>
    </section>
  );
}

function Reports({ ctx, of: { reports, strangerReports, subject }, content }: PartProps) {
  const messages = ctx.messages.desk.case;
  const all = [
    // Reports of edited jobs, prompts and profiles have the copy as the text of their subject.
    ...reports.map(({ reporter, createdAt, reason, asReported, subject: { text = null } }) => ({
      who: messages.reporter({ username: reporter, when: <Ago ctx={ctx} at={createdAt} /> }),
      createdAt,
      reason,
      text: asReported?.text ?? text,
    })),
    ...strangerReports.map(({ createdAt, reason, text }) => ({
      who: messages.stranger({ when: <Ago ctx={ctx} at={createdAt} /> }),
      createdAt,
      reason,
      text,
    })),
  ].sort((a, b) => a.createdAt - b.createdAt);
  const now = content === undefined ? subject.text : textOf(subject, content);
  const shown = new Set<string>();
  return (
    <section class="part">
      <h2>{messages.reports}</h2>
      {all.length === 0 ? <p class="hint">{messages.noReports}</p> : ""}
      <ol class="rows">
        {all.map(({ who, reason, text }) => {
          // The same earlier text is shown once, however many members reported it.
          const isNew = text !== null && text !== now && !shown.has(text);
          if (isNew) shown.add(text);
          return (
            <li>
              <div class="row-main">
                <p class="row-meta">{who}</p>
                <blockquote class="reason" dir="auto" safe>
                  {reason}
                </blockquote>
                {isNew ? <AsReported ctx={ctx} text={text} subject={subject} content={content} /> : ""}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Returns the text in the form of a copy: that of a profile begins with the name. */
function textOf({ type }: Subject, { title, text }: Content): string {
  return type === "builder" ? `${title}\n\n${text}` : text;
}

/** The text at the time of the report, with the changes since then. */
function AsReported({
  ctx,
  text,
  subject,
  content,
}: {
  ctx: PersonContext;
  text: string;
  subject: Subject;
  content: Content | undefined;
}) {
  const messages = ctx.messages.desk.case;
  return (
    <details class="as-reported" open>
      <summary>{content ? messages.changes : messages.asReported}</summary>
      {content ? (
        <Differences before={text} after={textOf(subject, content)} />
      ) : (
        <div class="prose" dir="auto">
          {renderMarkdown(text, { below: 2, id: subject.id })}
        </div>
      )}
    </details>
  );
}

/** The acts that make sense for the present state, on the content and on the member. */
function possibleActs(
  { ctx, of: { subject, held, state }, content }: PartProps,
  member: string | null,
): { content: Act[]; member: Act[]; none: Act[] } {
  // Hiding deleted content upholds its reports, and restoring it reopens them (docs/contract.md#4.13).
  const isHidden = subject.isDeleted ? state === "closed" : subject.hidden;
  const onContent: Act[] = !isContent(subject)
    ? []
    : held
      ? ["approve", "hide"]
      : [isHidden ? "restore" : "hide"];
  if (content?.isThread) onContent.push(findLock(ctx.core, subject.id) !== undefined ? "unlock" : "lock");
  const onMember: Act[] = [];
  if (member !== null) {
    const { id, suspendedAt } = findInMemberList(ctx.core, ctx.person.caller, member);
    onMember.push("warn", isLimited(ctx.core, id) ? "unlimit" : "limit");
    onMember.push(suspendedAt === null ? "suspend" : "unsuspend");
  }
  return { content: onContent, member: onMember, none: state === "open" && !held ? ["dismiss"] : [] };
}

function DecideForm(props: PartProps & { error: CoreError | undefined }) {
  const { ctx, of, error } = props;
  const { form: messages, case: page } = ctx.messages.desk;
  // A copy outlives the account of its author, on which there are no acts then.
  const member = of.history === null ? null : actsOn(ctx, of.subject.owner);
  const acts = possibleActs(props, member);
  const all = [...acts.content, ...acts.member, ...acts.none];
  const wanted = field(ctx.form, "act") || ctx.query.get("act") || "";
  const isConflict = error?.error === "conflict";
  const isOwn = of.subject.owner === ctx.person.caller.username;
  if (all.length === 0)
    return (
      <section class="card">
        <h2>{messages.title}</h2>
        <Fault ctx={ctx} error={error} />
        <p class="hint">{isOwn ? messages.yours : messages.decided}</p>
      </section>
    );
  return (
    <section class="card" id="decide">
      <h2>{messages.title}</h2>
      {isConflict ? (
        <div class="fault-box" role="alert">
          <Fault ctx={ctx} error={error} />
          <p>{page.decidedMeanwhile}</p>
        </div>
      ) : (
        <Fault ctx={ctx} error={error} fields={["reason", "text"]} />
      )}
      <Form action={`${pathOf(of)}/decide`} ctx={ctx} kind="stack decide">
        <input type="hidden" name="version" value={String(of.version)} />
        <Acts ctx={ctx} legend={messages.onContent} acts={acts.content} wanted={wanted} />
        <Acts
          ctx={ctx}
          legend={messages.onMember({ username: member ?? "" })}
          acts={acts.member}
          wanted={wanted}
        />
        <Acts ctx={ctx} legend={messages.onCase} acts={acts.none} wanted={wanted} />
        <DecisionFields
          ctx={ctx}
          error={fieldErrorText(ctx, error, "reason") ? error : undefined}
          hasLength={all.some((act) => ACT_FACTS[act].isTimed)}
        />
        <div class="actions">
          <Button>{messages.button}</Button>
        </div>
      </Form>
      {member === null ? (
        ""
      ) : (
        <div class="apart">
          <p class="hint">{messages.spamLead}</p>
          <a class="button danger" href={spamPath(member)}>
            {messages.spam}
          </a>
        </div>
      )}
    </section>
  );
}

function Acts({
  ctx,
  legend,
  acts,
  wanted,
}: {
  ctx: PersonContext;
  legend: string;
  acts: readonly Act[];
  wanted: string;
}) {
  const { acts: names, actHints } = ctx.messages.desk;
  if (acts.length === 0) return "";
  return (
    <fieldset class="choices acts">
      <legend dir="auto" safe>
        {legend}
      </legend>
      {acts.map((act) => (
        <label class="choice">
          <input type="radio" name="act" value={act} checked={act === wanted} required />
          <span>
            {names[act]}
            {act === "remove_spammer" ? "" : <small>{actHints[act]}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The standing of the member, and the earlier decisions about them. */
function Member({ ctx, of: { history } }: { ctx: PersonContext; of: Case }) {
  const { case: messages, done } = ctx.messages.desk;
  if (history === null) return "";
  const { username: owner, decisions } = history;
  const counts = decisions.flatMap(({ act, count }) =>
    isAct(act) ? [`${done[act]} ${ctx.messages.formats.number(count)}×`] : [],
  );
  return (
    <section class="card">
      <h2>
        {messages.member}: <a href={`/@${owner}`} safe>{`@${owner}`}</a>
      </h2>
      <dl class="facts">
        <dt>{messages.joined}</dt>
        <dd>
          <Time ctx={ctx} at={history.joinedAt} />
        </dd>
        {history.reports === 0 ? (
          ""
        ) : (
          <>
            <dt>{messages.reportsAbout}</dt>
            <dd>{ctx.messages.formats.number(history.reports)}</dd>
          </>
        )}
        <dt>{messages.history}</dt>
        <dd>{counts.length === 0 ? messages.noHistory : counts.join(", ")}</dd>
      </dl>
      <p class="hint">
        <a href={`/admin/log?member=${owner}`}>{ctx.messages.desk.log.title}</a> ·{" "}
        <a href={`/admin/builders/${owner}`}>{messages.manage}</a>
      </p>
    </section>
  );
}

function Notes({
  ctx,
  of,
  error,
}: PropsWithChildren<{ ctx: PersonContext; of: Case; error: CoreError | undefined }>) {
  const messages = ctx.messages.desk.case;
  const { notes } = of;
  const note = formOf(ctx, CaseNoteDraft, {
    messages: { text: messages.note },
    error: fieldErrorText(ctx, error, "text") ? error : undefined,
  });
  return (
    <section class="part">
      <h2>{messages.notes}</h2>
      <p class="hint">{messages.notesLead}</p>
      {notes.length === 0 ? (
        ""
      ) : (
        <ol class="rows notes">
          {notes.map(({ author, text, createdAt }) => (
            <li>
              <div class="row-main">
                <p class="row-meta">
                  {author === null
                    ? messages.noteByNobody({ when: <Ago ctx={ctx} at={createdAt} /> })
                    : messages.noteBy({ username: author, when: <Ago ctx={ctx} at={createdAt} /> })}
                </p>
                <p class="note" dir="auto" safe>
                  {text}
                </p>
              </div>
            </li>
          ))}
        </ol>
      )}
      <note.Form action={`${pathOf(of)}/notes`}>
        <note.TextArea name="text" rows={2} />
        <div class="actions">
          <Button kind="quiet">{messages.addNote}</Button>
        </div>
      </note.Form>
    </section>
  );
}
