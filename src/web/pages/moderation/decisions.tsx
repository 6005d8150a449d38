/** @jsxImportSource @kitajs/html */
import type { CoreError } from "../../../core/base/errors.ts";
import { appellantOf, closeAppealSession } from "../../../core/identity/accounts/appeal-sessions.ts";
import {
  appeal,
  appealSuspension,
  getOwnDecision,
  getOwnSuspension,
  listOwnDecisions,
  type OwnDecision,
} from "../../../core/services/moderation/appeals.ts";
import { refuse } from "../../../core/base/errors.ts";
import { Heading, messageView } from "../../parts/layout.tsx";
import { Ago, Button, Fault, Form, More, Rows, TextArea, Time } from "../../parts/parts.tsx";
import { formPage, prose } from "../../request/forms.ts";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { type PageContext, type PersonContext, publicPage, signedInPage } from "../../request/route.ts";
import type { View } from "../../request/route.ts";
import { appealSecretOf, redirectAppealEnded } from "../../request/session-cookies.ts";

const HERE = "/settings/decisions";
const SUSPENDED = "/suspended";

/** The member's own decisions with their appeals, and the page of a suspended member. */
export const decisionPages = [
  signedInPage("GET", HERE, listView),
  signedInPage("GET", `${HERE}/:id`, (ctx) => decisionView(ctx)),
  formPage(signedInPage, `${HERE}/:id/appeal`, decisionView, async (ctx: PersonContext) => {
    const id = ctx.params["id"] ?? "";
    await ctx.write(() => appeal(ctx.core, ctx.person.caller, id, { text: prose(ctx.form, "text") }));
    return { to: `${HERE}/${id}`, notice: "appeal-sent" };
  }),
  publicPage("GET", SUSPENDED, (ctx) => (ctx.person ? { to: "/" } : suspendedView(ctx))),
  formPage(publicPage, `${SUSPENDED}/appeal`, suspendedView, async (ctx: PageContext) => {
    await ctx.core.db.write(() => {
      const appellant = appellantOf(ctx.core, appealSecretOf(ctx));
      if (!appellant) throw refuse("own_decision_unknown");
      appealSuspension(ctx.core, appellant, { text: prose(ctx.form, "text") }, ctx.context.address());
    });
    return { to: SUSPENDED, notice: "appeal-sent" };
  }),
  publicPage("POST", `${SUSPENDED}/sign-out`, async (ctx) => {
    await ctx.core.db.write(() => closeAppealSession(ctx.core, appealSecretOf(ctx)));
    return redirectAppealEnded(ctx);
  }),
];

function listView(ctx: PersonContext): View {
  const messages = ctx.messages.decisions;
  const page = listOwnDecisions(ctx.core, ctx.person.caller, pageRequest(ctx));
  return {
    title: messages.title,
    section: "decisions",
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        <Rows
          nodes={page.nodes}
          empty={messages.nothing}
          lead={messages.nothingLead}
          row={({ id, act, createdAt, reason }) => (
            <li>
              <div class="row-main">
                <p class="row-title">
                  <a href={`${HERE}/${id}`}>{messages.acts[act]}</a>
                </p>
                <p class="row-meta" dir="auto" safe>
                  {reason}
                </p>
                <p class="row-meta">
                  <Ago ctx={ctx} at={createdAt} />
                </p>
              </div>
            </li>
          )}
        />
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}

function decisionView(ctx: PersonContext, error?: CoreError): View {
  const decision = getOwnDecision(ctx.core, ctx.person.caller, ctx.params["id"] ?? "");
  const title = ctx.messages.decisions.acts[decision.act];
  return {
    title,
    section: "decisions",
    error,
    body: (
      <>
        <Heading title={title} />
        <Facts ctx={ctx} decision={decision} hasLink />
        <AppealPart ctx={ctx} decision={decision} action={`${HERE}/${decision.id}/appeal`} error={error} />
      </>
    ),
  };
}

function suspendedView(ctx: PageContext, error?: CoreError): View {
  const messages = ctx.messages.decisions.suspended;
  const appellant = appellantOf(ctx.core, appealSecretOf(ctx));
  if (!appellant)
    return messageView(messages.nothingTitle, messages.nothing, {
      href: "/sign-in",
      label: ctx.messages.entry.signIn.title,
    });
  const decision = getOwnSuspension(ctx.core, appellant);
  return {
    title: messages.title,
    isPlain: true,
    error,
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead({ username: <bdi safe>{`@${appellant.username}`}</bdi> })}</p>
        </Heading>
        {decision ? (
          <>
            <Facts ctx={ctx} decision={decision} />
            <AppealPart ctx={ctx} decision={decision} action={`${SUSPENDED}/appeal`} error={error} />
          </>
        ) : (
          <p>{messages.noReason}</p>
        )}
        <Form action={`${SUSPENDED}/sign-out`} ctx={ctx} kind="below">
          <Button kind="quiet">{messages.signOut}</Button>
        </Form>
      </>
    ),
  };
}

/** The act of a decision, its reason, its rule, and its end. */
function Facts({
  ctx,
  decision,
  hasLink = false,
}: {
  ctx: PageContext;
  decision: OwnDecision;
  hasLink?: boolean;
}) {
  const messages = ctx.messages.decisions;
  const { act, subject, until, undoneAt, reason, rule } = decision;
  const isTimed = act === "limit" || act === "suspend";
  const title = subject && subject.type !== "builder" ? (subject.title ?? "") : "";
  return (
    <section class="part decision">
      <p>{messages.made({ when: <Time ctx={ctx} at={decision.createdAt} /> })}</p>
      {decision.isAutomatic ? <p>{messages.automatic}</p> : ""}
      {undoneAt === null ? "" : <p>{messages.undone({ when: <Time ctx={ctx} at={undoneAt} /> })}</p>}
      {undoneAt === null && isTimed ? (
        <p>{until === null ? messages.good : messages.until({ when: <Time ctx={ctx} at={until} /> })}</p>
      ) : (
        ""
      )}
      {title !== "" && hasLink ? (
        <>
          <h2>{messages.about}</h2>
          <p dir="auto">
            <a href={`/${subject?.type ?? ""}s/${subject?.id ?? ""}`} safe>
              {title}
            </a>
          </p>
        </>
      ) : (
        ""
      )}
      <Quoted title={messages.reason} text={reason} />
      <Quoted title={messages.rule} text={rule} />
    </section>
  );
}

/** The appeal and its answer, or the form to appeal. */
function AppealPart({
  ctx,
  decision,
  action,
  error,
}: {
  ctx: PageContext;
  decision: OwnDecision;
  action: string;
  error: CoreError | undefined;
}) {
  const messages = ctx.messages.decisions.appeal;
  const { appeal: sent, undoneAt } = decision;
  if (!sent && undoneAt !== null) return "";
  if (!sent)
    return (
      <section class="part">
        <h2>{messages.title}</h2>
        <p class="hint">{messages.lead}</p>
        <Form action={action} ctx={ctx} kind="stack narrow" error={error}>
          <TextArea
            name="text"
            label={messages.text}
            value={prose(ctx.form, "text")}
            maxlength={2000}
            rows={6}
            required
          />
          <Button>{messages.send}</Button>
        </Form>
      </section>
    );
  const { decided } = sent;
  return (
    <section class="part decision">
      <h2>{messages.title}</h2>
      <Fault ctx={ctx} error={error} />
      <p>
        {decided
          ? messages[decided.outcome]({ when: <Time ctx={ctx} at={decided.at} /> })
          : messages.waiting({ when: <Time ctx={ctx} at={sent.createdAt} /> })}
      </p>
      <Quoted level="h3" title={messages.yours} text={sent.text} />
      <Quoted level="h3" title={messages.answer} text={decided?.answer ?? ""} />
    </section>
  );
}

function Quoted({ title, text, level = "h2" }: { title: string; text: string; level?: "h2" | "h3" }) {
  if (text === "") return "";
  return (
    <>
      {level === "h2" ? <h2 safe>{title}</h2> : <h3 safe>{title}</h3>}
      <p class="reason" dir="auto" safe>
        {text}
      </p>
    </>
  );
}
