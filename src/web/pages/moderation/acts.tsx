/** @jsxImportSource @kitajs/html */
import { DAY, isoTime } from "../../../core/base/clock.ts";
import { check } from "../../../core/base/check.ts";
import { BRAKES } from "../../../core/community/holding/brakes.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { rulesOf } from "../../../core/identity/community-settings/community-settings.ts";
import {
  type Act,
  ACT_FACTS,
  ActDraft,
  ACTS,
  type Decision,
  isLimiting,
} from "../../../core/services/moderation/acts.ts";
import { Ago, Form, Select, TextArea, Time } from "../../parts/parts.tsx";
import { casePath } from "../../parts/moderate-menu.tsx";
import { subjectName } from "../../parts/subject-name.ts";
import { field, prose } from "../../request/forms.ts";
import type { PageContext, PersonContext } from "../../request/route.ts";

/** Days of each choice; null for good. */
const LENGTHS = { day: 1, three: 3, week: 7, month: 30, quarter: 90, good: null } as const;
type Length = keyof typeof LENGTHS;
const DEFAULT_LENGTH: Length = "week";

export function isAct(text: string | null | undefined): text is Act {
  return (ACTS as readonly string[]).includes(text ?? "");
}

/** Reads the act, the reason, the rule and the duration of a form. Throws bad_request. */
export function readActDraft({ core, form }: PageContext): ActDraft {
  const act = field(form, "act");
  const days = LENGTHS[field(form, "length") as Length];
  const until = days === null || days === undefined ? null : isoTime(core.clock.now() + days * DAY);
  const version = field(form, "version");
  return check(ActDraft, {
    act,
    reason: prose(form, "reason").trim() || undefined,
    rule: field(form, "rule") || undefined,
    ...(isAct(act) && ACT_FACTS[act].isTimed ? { until } : {}),
    ...(/^\d{1,9}$/.test(version) ? { expectedVersion: Number(version) } : {}),
  });
}

/** The reason, the rule and the duration of a decision. The stylesheet hides a duration without use. */
export function DecisionFields({
  ctx,
  error,
  hasLength,
  hasHint = true,
  usualReason = "",
}: {
  ctx: PersonContext;
  error: CoreError | undefined;
  hasLength: boolean;
  hasHint?: boolean;
  usualReason?: string;
}) {
  const messages = ctx.messages.desk.form;
  const { form } = ctx;
  const rules = rulesOf(ctx.core);
  const chosen = field(form, "length");
  return (
    <>
      <TextArea
        name="reason"
        label={messages.reason}
        hint={hasHint ? messages.reasonHint : undefined}
        value={form.has("reason") ? prose(form, "reason") : usualReason}
        rows={3}
        ctx={ctx}
        error={error}
      />
      {rules.length === 0 ? (
        ""
      ) : (
        <Select
          name="rule"
          label={messages.rule}
          options={[
            { value: "", words: messages.noRule },
            ...rules.map((rule) => ({ value: rule, words: rule, isOn: field(form, "rule") === rule })),
          ]}
        />
      )}
      {hasLength ? (
        <div class="timed">
          <Select
            name="length"
            label={messages.until}
            options={(Object.keys(LENGTHS) as Length[]).map((value) => ({
              value,
              words: messages.lengths[value],
              isOn: value === (Object.hasOwn(LENGTHS, chosen) ? chosen : DEFAULT_LENGTH),
            }))}
          />
        </div>
      ) : (
        ""
      )}
    </>
  );
}

/** The words for the brake that holds content. */
export function brakeText({ messages }: PageContext, brake: string): string {
  const known = BRAKES.find((name) => name === brake);
  return known === undefined ? brake : messages.desk.brakes[known];
}

/** Decisions as a list, with a button that undoes each. `back` is the page to return to. */
export function DecisionRows({
  ctx,
  decisions,
  back,
  isOfCase = false,
}: {
  ctx: PersonContext;
  decisions: readonly Decision[];
  back: string;
  /** Leaves out the subject, because the page is about it. */
  isOfCase?: boolean;
}) {
  return (
    <ul class="rows decisions">
      {decisions.map((decision) => (
        <DecisionRow ctx={ctx} decision={decision} back={back} isOfCase={isOfCase} />
      ))}
    </ul>
  );
}

function DecisionRow({
  ctx,
  decision,
  back,
  isOfCase,
}: {
  ctx: PersonContext;
  decision: Decision;
  back: string;
  isOfCase: boolean;
}) {
  const { done, decision: messages } = ctx.messages.desk;
  const { id, act, subject, builder, by, isAutomatic, reason, rule, until, createdAt, undone, appeal } =
    decision;
  const title = subjectName(ctx, subject);
  const isOfMember = subject.type === "builder" || builder === null;
  const facts = [
    by !== null ? messages.by({ username: by }) : isAutomatic ? messages.automatic : messages.operator,
    ...(isOfMember || isOfCase ? [] : [messages.about({ username: builder })]),
  ];
  return (
    <li class={undone ? "undone" : undefined}>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <span class={isLimiting(act) ? "badge bad first" : "badge good first"}>{done[act]}</span>{" "}
          {isOfCase ? (
            ""
          ) : (
            <a href={casePath(subject.id)}>
              <bdi safe>{title}</bdi>
            </a>
          )}
        </p>
        <p class="row-meta">
          <span safe>{facts.join(" · ")}</span> · <Ago ctx={ctx} at={createdAt} />
          {ACT_FACTS[act].isTimed ? (
            <>
              {" · "}
              {until === null ? messages.forGood : messages.until({ when: <Time ctx={ctx} at={until} /> })}
            </>
          ) : (
            ""
          )}
          {appeal ? (
            <>
              {" · "}
              <a href={`/admin/appeals${appeal.decided ? "?state=decided" : ""}`}>{messages.appealed}</a>
            </>
          ) : (
            ""
          )}
        </p>
        {reason === "" ? (
          ""
        ) : (
          <blockquote class="reason" dir="auto" safe>
            {reason}
          </blockquote>
        )}
        {rule === "" ? (
          ""
        ) : (
          <p class="row-meta" dir="auto" safe>
            {messages.rule({ rule })}
          </p>
        )}
        {undone ? (
          <p class="row-meta">
            {undone.by === null
              ? messages.undoneByOperator({ when: <Ago ctx={ctx} at={undone.at} /> })
              : messages.undoneBy({ username: undone.by, when: <Ago ctx={ctx} at={undone.at} /> })}
          </p>
        ) : (
          ""
        )}
      </div>
      {undone ? (
        ""
      ) : (
        <Form action={`/admin/log/${id}/undo`} ctx={ctx} kind="inline">
          <input type="hidden" name="back" value={back} />
          <button class="button quiet small" aria-label={messages.undoOf({ act: done[act], title })}>
            {messages.undo}
          </button>
        </Form>
      )}
    </li>
  );
}
