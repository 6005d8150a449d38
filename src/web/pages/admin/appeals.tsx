/** @jsxImportSource @kitajs/html */
import { check } from "../../../core/base/check.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { type Decision, isLimiting } from "../../../core/services/moderation/acts.ts";
import { AppealAnswer, decideAppeal, listAppeals } from "../../../core/services/moderation/appeals.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Fault, Form, More, Rows, TextArea } from "../../parts/parts.tsx";
import { prose, showAgainOnError } from "../../request/forms.ts";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { moderatorPage, type PersonContext, type View } from "../../request/route.ts";
import { withReauthentication } from "../entry/reauthentication.tsx";
import { subjectName } from "../../parts/subject-name.ts";

const HERE = "/admin/appeals";
const DECIDED = `${HERE}?state=decided`;

/** Appeals against decisions, and the answers (docs/contract.md#12.42). */
export const adminAppealPages = [
  moderatorPage("GET", HERE, (ctx) => listView(ctx)),
  moderatorPage(
    "POST",
    `${HERE}/:id/grant`,
    withReauthentication(HERE, (ctx) => answer(ctx, "granted")),
  ),
  moderatorPage("POST", `${HERE}/:id/deny`, (ctx) => answer(ctx, "denied")),
];

/** If another moderator decided first, the list shows that as an error. */
function answer(ctx: PersonContext, outcome: AppealAnswer["outcome"]) {
  return showAgainOnError(
    async () => {
      const id = ctx.params["id"] ?? "";
      const draft = check(AppealAnswer, { outcome, answer: prose(ctx.form, `answer-${id}`) });
      await ctx.write(() => decideAppeal(ctx.core, ctx.person.caller, id, draft));
      return { to: HERE, notice: "appeal-answered" };
    },
    (error) => listView(ctx, error),
  );
}

function listView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.decisions.desk;
  const title = ctx.messages.admin.places.appeals;
  const state = ctx.query.get("state") === "decided" ? "decided" : "waiting";
  const page = listAppeals(ctx.core, ctx.person.caller, { state }, pageRequest(ctx));
  const isWaiting = state === "waiting";
  return {
    title,
    error,
    body: (
      <>
        <Heading title={title}>
          <p>{isWaiting ? messages.lead : messages.leadDecided}</p>
        </Heading>
        <nav class="tabs" aria-label={ctx.messages.desk.cases.state}>
          <a href={HERE} aria-current={isWaiting ? "page" : undefined}>
            {messages.waiting}
          </a>
          <a href={DECIDED} aria-current={isWaiting ? undefined : "page"}>
            {messages.decided}
          </a>
        </nav>
        <Fault ctx={ctx} error={error} />
        <Rows
          nodes={page.nodes}
          empty={isWaiting ? messages.nothing : messages.nothingDecided}
          lead={isWaiting ? messages.nothingLead : messages.nothingDecidedLead}
          kind="rows appeals"
          row={(decision) => <Row ctx={ctx} decision={decision} />}
        />
        <More ctx={ctx} href={nextAddress(ctx, page, HERE)} />
      </>
    ),
  };
}

/** The typed answer is sent with either button. */
function Row({ ctx, decision }: { ctx: PersonContext; decision: Decision }) {
  const messages = ctx.messages.decisions;
  const { id, act, subject, builder, by, reason, rule, undone, appeal } = decision;
  if (!appeal || !isLimiting(act)) return "";
  const { decided } = appeal;
  const who = (name: string | null) => <bdi safe>{name === null ? messages.desk.nobody : `@${name}`}</bdi>;
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <span class="badge bad first">{messages.acts[act]}</span>{" "}
          <a href={`/admin/cases/${subject.id}`}>
            <bdi safe>{subjectName(ctx, subject)}</bdi>
          </a>
        </p>
        <p class="row-meta">
          {messages.desk.made({ by: who(by), who: who(builder) })} · <Ago ctx={ctx} at={decision.createdAt} />
        </p>
        <Quoted label={messages.reason} text={reason} />
        <Quoted label={messages.rule} text={rule} />
        <p class="row-meta">{messages.desk.appealed({ when: <Ago ctx={ctx} at={appeal.createdAt} /> })}</p>
        <Quoted label={messages.desk.text} text={appeal.text} />
        {undone && !decided ? <p class="row-meta">{messages.desk.undone}</p> : ""}
        {decided ? (
          <>
            <p class="row-meta">
              {messages.desk[decided.outcome]({
                by: who(decided.by),
                when: <Ago ctx={ctx} at={decided.at} />,
              })}
            </p>
            <Quoted label={messages.appeal.answer} text={decided.answer} />
          </>
        ) : (
          <Form action={`${HERE}/${id}/grant`} ctx={ctx} kind="stack narrow">
            <TextArea
              name={`answer-${id}`}
              label={builder === null ? messages.desk.answer : messages.desk.answerTo({ username: builder })}
              hint={messages.desk.answerHint}
              value={prose(ctx.form, `answer-${id}`)}
              maxlength={2000}
              rows={3}
              required
            />
            <div class="actions">
              <Button>{messages.desk.grant}</Button>
              <button class="button quiet" formaction={`${HERE}/${id}/deny`}>
                {messages.desk.deny}
              </button>
            </div>
          </Form>
        )}
      </div>
    </li>
  );
}

function Quoted({ label, text }: { label: string; text: string }) {
  if (text === "") return "";
  return (
    <p class="reason" dir="auto">
      <b safe>{`${label}:`}</b> <span safe>{text}</span>
    </p>
  );
}
