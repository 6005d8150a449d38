/** @jsxImportSource @kitajs/html */
import { Type } from "@sinclair/typebox";
import { check } from "../../../core/base/check.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { type Act, ACT_FACTS, ActDraft } from "../../../core/services/moderation/acts.ts";
import { decideMany, SUBJECTS_MAX } from "../../../core/services/moderation/decisions.ts";
import { getSubjects } from "../../../core/services/moderation/moderation.ts";
import { contentMatching, membersMatching, showFilterAgain } from "../admin/filters.tsx";
import { keepingForm, withReauthentication } from "../entry/reauthentication.tsx";
import { Heading } from "../../parts/layout.tsx";
import { Button, Empty, Fault, Form } from "../../parts/parts.tsx";
import { refusalText } from "../../parts/sentences.ts";
import { field, showAgainOnError } from "../../request/forms.ts";
import {
  moderatorPage,
  type PageAnswer,
  type PersonContext,
  type View,
  withRepeats,
} from "../../request/route.ts";
import { DecisionFields, isAct, readActDraft } from "./acts.tsx";
import { subjectName } from "../../parts/subject-name.ts";
import { filterView } from "./spam.tsx";

const HERE = "/admin/bulk";
const ActField = Type.Pick(ActDraft, ["act"]);

/** The page that shows a selection, asks for a reason, and performs one act on each entry. */
export const bulkPages = [
  moderatorPage("GET", HERE, (ctx) => {
    const act = ctx.query.get("act");
    if (!isAct(act) || act === "remove_spammer") return { to: "/admin/builders" };
    const view = (now: PersonContext) =>
      showFilterAgain(
        () => bulkView(now, act, idsIn(now)),
        (error) => filterView(now, error),
      );
    const next = `${HERE}?${ctx.context.query}`;
    return ACT_FACTS[act].isGuarded ? withReauthentication(next, view)(ctx) : view(ctx);
  }),
  withRepeats(
    moderatorPage("POST", HERE, (ctx) => {
      // An error keeps the typed reason.
      const { act } = check(ActField, { act: field(ctx.form, "act") });
      if (act === "remove_spammer") return { to: "/admin/builders" };
      return ACT_FACTS[act].isGuarded ? keepingForm("/admin", perform)(ctx) : perform(ctx);
    }),
    "id",
  ),
];

function idsIn(ctx: PersonContext): string[] {
  const { query } = ctx;
  if (!query.has("all")) return [...new Set(query.getAll("id"))].slice(0, SUBJECTS_MAX);
  return query.get("of") === "content"
    ? contentMatching(ctx, SUBJECTS_MAX).map(({ subject }) => subject.id)
    : membersMatching(ctx, SUBJECTS_MAX).map(({ id }) => id);
}

function perform(ctx: PersonContext): Promise<PageAnswer> {
  const { core, person, form } = ctx;
  const subjectIds = form.getAll("id");
  return showAgainOnError(
    async () => {
      const draft = readActDraft(ctx);
      const { done, refused } = await ctx.write(() =>
        decideMany(core, person.caller, { subjectIds, ...draft }),
      );
      if (refused.length > 0) return partlyView(ctx, done.length, refused);
      return { to: `/admin/log?actor=${person.caller.username}`, notice: "decisions-made" };
    },
    (error) => bulkView(ctx, field(form, "act") as Act, subjectIds, error),
  );
}

function bulkView(ctx: PersonContext, act: Act, ids: readonly string[], error?: CoreError): View {
  const { bulk: messages, acts, actHints } = ctx.messages.desk;
  const subjects = [...getSubjects(ctx.core, ctx.person.caller, ids).values()];
  const count = subjects.length;
  if (count === 0) return nothingView(ctx, acts[act], error);
  const title = messages.titles({ act: acts[act], count });
  return {
    title,
    error,
    body: (
      <>
        <Heading title={title}>
          <p>{act === "remove_spammer" ? "" : actHints[act]}</p>
        </Heading>
        <Form action={HERE} ctx={ctx} kind="stack" error={error}>
          <input type="hidden" name="act" value={act} />
          <DecisionFields ctx={ctx} error={error} hasLength={ACT_FACTS[act].isTimed === true} />
          <div class="actions">
            <Button kind={act === "suspend" ? "danger" : "primary"}>
              {messages.button({ act: acts[act], count })}
            </Button>
            <a
              class="button quiet"
              href={subjects[0]?.type === "builder" ? "/admin/builders" : "/admin/content"}
            >
              {messages.cancel}
            </a>
          </div>
          <fieldset class="choices">
            <legend>{messages.list}</legend>
            {subjects.map((subject) => (
              <label class="choice">
                <input type="checkbox" name="id" value={subject.id} checked />
                <span>
                  <bdi safe>{subjectName(ctx, subject)}</bdi>
                  {subject.owner === null || subject.type === "builder" ? (
                    ""
                  ) : (
                    <small dir="auto" safe>{`@${subject.owner}`}</small>
                  )}
                </span>
              </label>
            ))}
          </fieldset>
        </Form>
      </>
    ),
  };
}

function nothingView(ctx: PersonContext, title: string, error: CoreError | undefined): View {
  const messages = ctx.messages.desk.bulk;
  return {
    title,
    error,
    body: (
      <>
        <Heading title={title} />
        <Fault ctx={ctx} error={error} />
        <Empty title={messages.nothing}>
          <p>{messages.nothingLead}</p>
        </Empty>
      </>
    ),
  };
}

/** Names the entries that were refused, each with the reason. */
function partlyView(
  ctx: PersonContext,
  count: number,
  refused: readonly { id: string; error: CoreError }[],
): View {
  const messages = ctx.messages.desk.bulk;
  const subjects = getSubjects(
    ctx.core,
    ctx.person.caller,
    refused.map(({ id }) => id),
  );
  return {
    title: messages.partly,
    body: (
      <>
        <Heading title={messages.partly}>
          <p>{messages.done({ count })}</p>
        </Heading>
        <section class="part">
          <h2>{messages.refused}</h2>
          <ul class="rows">
            {refused.map(({ id, error }) => {
              const subject = subjects.get(id);
              return (
                <li>
                  <div class="row-main">
                    <p class="row-title" dir="auto" safe>
                      {subject ? subjectName(ctx, subject) : id}
                    </p>
                    <p class="row-meta" safe>
                      {refusalText(ctx, error)}
                    </p>
                  </div>
                </li>
              );
            })}
          </ul>
        </section>
        <p class="below">
          <a class="button quiet" href="/admin/log">
            {messages.log}
          </a>
        </p>
      </>
    ),
  };
}
