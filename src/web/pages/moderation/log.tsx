/** @jsxImportSource @kitajs/html */
import { Type } from "@sinclair/typebox";
import { check } from "../../../core/base/check.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { parseTimestamp, TimestampText } from "../../../core/base/timestamp.ts";
import { isAtLeast } from "../../../core/identity/access/roles.ts";
import { ACT_FACTS, ACTS } from "../../../core/services/moderation/acts.ts";
import { getDecision, listDecisions } from "../../../core/services/moderation/decisions.ts";
import {
  previewUndoOf,
  undoDecision,
  undoDecisionsInBatches,
  type UndoneDecisions,
} from "../../../core/services/moderation/undo.ts";
import { ChoiceFilter, showFilterAgain, TextFilter } from "../admin/filters.tsx";
import { keepingForm } from "../entry/reauthentication.tsx";
import { Heading } from "../../parts/layout.tsx";
import { Button, Empty, Fault, Field, Form, More, Time } from "../../parts/parts.tsx";
import { field, safePath, showAgainOnError } from "../../request/forms.ts";
import { filterOf, nextAddress, pageRequest } from "../../request/paging.ts";
import { adminPage, moderatorPage, type PersonContext, type View } from "../../request/route.ts";
import { DecisionRows } from "./acts.tsx";

const HERE = "/admin/log";
const PREVIEWED = 200;

/** The moderation log, the undo of a decision, and of all decisions of one moderator. */
export const logPages = [
  moderatorPage("GET", HERE, (ctx) => logView(ctx)),
  moderatorPage("POST", `${HERE}/:id/undo`, (ctx) => {
    const { core, person } = ctx;
    const { act } = getDecision(core, person.caller, ctx.params["id"] ?? "");
    return ACT_FACTS[act].isGuarded ? keepingForm(HERE, undo)(ctx) : undo(ctx);
  }),
  adminPage("GET", `${HERE}/undo`, (ctx) =>
    showFilterAgain(
      () => previewView(ctx, ctx.query),
      (error) => undoAllView(ctx, error),
      "moderator",
    ),
  ),
  adminPage(
    "POST",
    `${HERE}/undo`,
    keepingForm(HERE, (ctx) => undoAll(ctx)),
  ),
];

function undo(ctx: PersonContext) {
  const { core, person } = ctx;
  return showAgainOnError(
    async () => {
      await ctx.write(() => undoDecision(core, person.caller, ctx.params["id"] ?? ""));
      return { to: safePath(ctx.form.get("back")), notice: "decision-undone" };
    },
    (error) => logView(ctx, error),
  );
}

function logView(ctx: PersonContext, error?: CoreError): View {
  const { log: messages, filters, done } = ctx.messages.desk;
  const { core, person } = ctx;
  const page = listDecisions(
    core,
    person.caller,
    {
      moderator: filterOf(ctx, "actor"),
      builder: filterOf(ctx, "member"),
      act: ACTS.find((act) => act === filterOf(ctx, "act")),
      day: /^\d{4}-\d\d-\d\d$/.exec(filterOf(ctx, "day") ?? "")?.[0],
    },
    pageRequest(ctx),
  );
  const isFiltered = ["actor", "member", "act", "day"].some((name) => filterOf(ctx, name) !== undefined);
  return {
    title: messages.title,
    error,
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        <Fault ctx={ctx} error={error} />
        <form class="filter-fields" action={HERE} role="search">
          <TextFilter ctx={ctx} name="actor" label={filters.actor} />
          <TextFilter ctx={ctx} name="member" label={filters.member} />
          <ChoiceFilter ctx={ctx} name="act" label={filters.act} names={ACTS} of={done} />
          <div class="field">
            <label for="day">{filters.day}</label>
            <input id="day" name="day" type="date" value={filterOf(ctx, "day") ?? ""} />
          </div>
          <div class="actions">
            <Button kind="quiet">{filters.apply}</Button>
            {isFiltered ? <a href={HERE}>{filters.clear}</a> : ""}
          </div>
        </form>
        {page.nodes.length === 0 ? (
          <Empty title={isFiltered ? messages.nothing : messages.noneYet}>
            <p>{isFiltered ? messages.nothingLead : messages.noneYetLead}</p>
          </Empty>
        ) : (
          <DecisionRows ctx={ctx} decisions={page.nodes} back={hereOf(ctx)} />
        )}
        <More ctx={ctx} href={nextAddress(ctx, page, HERE)} label={messages.more} />
        {isAtLeast(person.role, "admin") ? (
          <section class="part">
            <h2>{messages.undoAll}</h2>
            <p class="hint">{messages.undoAllLead}</p>
            <UndoAllForm ctx={ctx} />
          </section>
        ) : (
          ""
        )}
      </>
    ),
  };
}

function hereOf({ context }: PersonContext): string {
  return context.method === "GET" && context.query !== "" ? `${HERE}?${context.query}` : HERE;
}

/** The form that begins the undo, again with its errors. */
function undoAllView(ctx: PersonContext, error: CoreError): View {
  const messages = ctx.messages.desk.log;
  return {
    title: messages.undoAll,
    error,
    body: (
      <>
        <Heading title={messages.undoAll}>
          <p>{messages.undoAllLead}</p>
        </Heading>
        <Fault ctx={ctx} error={error} fields={["moderator", "since"]} />
        <UndoAllForm ctx={ctx} error={error} />
      </>
    ),
  };
}

/** The form that begins the undo of everything that one moderator decided. */
function UndoAllForm({ ctx, error }: { ctx: PersonContext; error?: CoreError | undefined }) {
  const messages = ctx.messages.desk.log;
  const typed = (name: string) => field(ctx.form, name) || filterOf(ctx, name);
  return (
    <form class="stack narrow" action={`${HERE}/undo`}>
      <Field
        name="moderator"
        label={messages.moderator}
        value={typed("moderator") ?? filterOf(ctx, "actor") ?? ""}
        ctx={ctx}
        error={error}
        required
      />
      <Field
        name="since"
        label={messages.since}
        type="datetime-local"
        value={typed("since")}
        ctx={ctx}
        error={error}
        required
      />
      <div class="actions">
        <Button kind="quiet">{messages.preview}</Button>
      </div>
    </form>
  );
}

function moderatorIn(fields: URLSearchParams): string {
  return field(fields, "moderator").replace(/^@/, "");
}

const SinceDraft = Type.Object({ since: TimestampText() });

/** Returns the time of a `datetime-local` field, in UTC. Throws bad_request if it has no time. */
function sinceIn(fields: URLSearchParams): number {
  const { since } = check(SinceDraft, { since: `${field(fields, "since").slice(0, 19)}Z` });
  return parseTimestamp(since) ?? 0;
}

function previewView(ctx: PersonContext, fields: URLSearchParams): View {
  const messages = ctx.messages.desk.log;
  const username = moderatorIn(fields);
  const since = sinceIn(fields);
  const of = { moderator: username, since };
  const { decisions, count } = previewUndoOf(ctx.core, ctx.person.caller, of, PREVIEWED);
  return {
    title: messages.previewTitle({ username }),
    body: (
      <>
        <Heading title={messages.previewTitle({ username })}>
          <p>{messages.previewLead({ count, when: <Time ctx={ctx} at={since} /> })}</p>
        </Heading>
        {count === 0 ? (
          ""
        ) : (
          <Form action={`${HERE}/undo`} ctx={ctx}>
            <input type="hidden" name="moderator" value={username} />
            <input type="hidden" name="since" value={field(fields, "since")} />
            <div class="actions">
              <Button kind="danger">{messages.undoButton({ count })}</Button>
              <a class="button quiet" href={HERE}>
                {ctx.messages.common.keep}
              </a>
            </div>
          </Form>
        )}
        {count > decisions.length ? <p class="hint">{messages.previewMore}</p> : ""}
        <DecisionRows ctx={ctx} decisions={decisions} back={HERE} />
      </>
    ),
  };
}

function undoAll(ctx: PersonContext) {
  const { core, person, form } = ctx;
  return showAgainOnError(
    async () => {
      const moderator = moderatorIn(form);
      const of = { moderator, since: sinceIn(form) };
      return resultView(ctx, await undoDecisionsInBatches(core, person.caller, of, ctx.write));
    },
    (error) => undoAllView(ctx, error),
  );
}

function resultView(ctx: PersonContext, { undone, kept }: UndoneDecisions): View {
  const messages = ctx.messages.desk.log;
  const title = messages.result({ count: undone.length });
  return {
    title,
    body: (
      <>
        <Heading title={title} />
        {kept.length === 0 ? (
          ""
        ) : (
          <>
            <p>{messages.kept({ count: kept.length })}</p>
            <DecisionRows ctx={ctx} decisions={kept.slice(0, PREVIEWED)} back={HERE} />
          </>
        )}
        <p class="below">
          <a class="button quiet" href={HERE}>
            {messages.title}
          </a>
        </p>
      </>
    ),
  };
}
