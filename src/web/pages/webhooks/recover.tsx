/** @jsxImportSource @kitajs/html */
import { DAY, HOUR } from "../../../core/base/clock.ts";
import { recoverDeliveries } from "../../../core/outbox/deliveries/delivery-log.ts";
import { countRecoverable } from "../../../core/outbox/deliveries/delivery-stats.ts";
import type { RecoverState } from "../../../core/outbox/deliveries/recovery.ts";
import { getEndpoint } from "../../../core/outbox/webhooks/webhooks.ts";
import { Heading } from "../../parts/layout.tsx";
import { Submit, Choices, Empty, Form } from "../../parts/parts.tsx";
import { type PersonContext, signedInPage, type View } from "../../request/route.ts";
import { workspaceUrl, type WorkspacePath, workspaceOf } from "../../parts/workspace-choice.tsx";
import { idOf } from "./webhook-parts.tsx";

const HERE = "/settings/webhooks";

/** Resends a range of events: failed ones, acknowledged ones, or those missed while the endpoint was off. */
export const recoverPages = [
  signedInPage("GET", `${HERE}/:id/recover`, (ctx) => recoverView(ctx)),
  signedInPage("POST", `${HERE}/:id/recover`, async (ctx) => {
    const workspacePath = workspaceOf(ctx);
    const { ms } = SPANS.find(({ value }) => value === ctx.form.get("since")) ?? SPANS[1];
    const state = RECOVER_STATES.find((what) => what === ctx.form.get("what")) ?? "failed";
    const wanted = {
      since: ctx.core.clock.now() - ms,
      state,
      missed: ctx.form.get("missed") === "yes",
    };
    await ctx.write(() => recoverDeliveries(ctx.core, workspacePath.caller, idOf(ctx), wanted));
    return { to: workspaceUrl(`${HERE}/${idOf(ctx)}`, workspacePath), notice: "recovered" };
  }),
];

const SPANS = [
  { value: "1h", name: "hour", ms: HOUR },
  { value: "1d", name: "day", ms: DAY },
  { value: "7d", name: "week", ms: 7 * DAY },
  { value: "30d", name: "month", ms: 30 * DAY },
] as const;

const RECOVER_STATES = ["failed", "acknowledged", "any"] as const satisfies readonly RecoverState[];

/** Events are counted only up to this number, so that the page costs the same for any number of events. */
const COUNTED_MAX = 500;

/** Shows what would be sent before anything is sent. */
function recoverView(ctx: PersonContext): View {
  const messages = ctx.messages.webhooks.recovery;
  const workspacePath = workspaceOf(ctx);
  const endpoint = getEndpoint(ctx.core, workspacePath.caller, idOf(ctx));
  return {
    title: messages.title,
    section: "webhooks",
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead({ url: <code safe>{endpoint.url}</code> })}</p>
          <p>
            <a href={workspaceUrl(`${HERE}/${endpoint.id}`, workspacePath)}>
              {ctx.messages.webhooks.secret.back}
            </a>
          </p>
        </Heading>
        {endpoint.disabled ? (
          <Empty title={messages.paused}>
            <p>{messages.pausedLead}</p>
          </Empty>
        ) : (
          <RangeForm ctx={ctx} workspacePath={workspacePath} id={endpoint.id} />
        )}
      </>
    ),
  };
}

function RangeForm({
  ctx,
  workspacePath,
  id,
}: {
  ctx: PersonContext;
  workspacePath: WorkspacePath;
  id: string;
}) {
  const messages = ctx.messages.webhooks.recovery;
  const now = ctx.core.clock.now();
  const countText = (count: number): string =>
    count >= COUNTED_MAX ? messages.orMore({ count: COUNTED_MAX }) : ctx.messages.formats.number(count);
  const foundText = (found: Record<"failed" | "acknowledged" | "missed", number>): string =>
    (["failed", "acknowledged", "missed"] as const)
      .filter((kind) => found[kind] > 0)
      .map((kind) => messages.counts[kind]({ count: countText(found[kind]) }))
      .join(" · ") || messages.counts.none;
  return (
    <Form action={workspaceUrl(`${HERE}/${id}/recover`, workspacePath)} ctx={ctx} kind="stack">
      <Choices
        legend={messages.since}
        name="since"
        type="radio"
        options={SPANS.map(({ value, name, ms }) => {
          const count = (state: RecoverState) =>
            countRecoverable(
              ctx.core,
              workspacePath.caller,
              id,
              { since: now - ms, state, missed: state === "failed" },
              COUNTED_MAX,
            );
          const { recovered: failed, missed } = count("failed");
          return {
            value,
            words: messages.spans[name],
            hint: foundText({ failed, acknowledged: count("acknowledged").recovered, missed }),
            isOn: value === "1d",
          };
        })}
      />
      <Choices
        legend={messages.what}
        name="what"
        type="radio"
        options={RECOVER_STATES.map((what) => ({
          value: what,
          words: messages[what],
          ...(what === "acknowledged" ? { hint: messages.acknowledgedHint } : {}),
          isOn: what === "failed",
        }))}
      />
      <Choices
        legend={messages.beside}
        name="missed"
        options={[
          {
            value: "yes",
            words: messages.missed,
            hint: messages.missedHint,
            isOn: false,
          },
        ]}
      />
      <Submit>{messages.button}</Submit>
    </Form>
  );
}
