/** @jsxImportSource @kitajs/html */
import {
  beginMaintenance,
  endMaintenance,
  USUAL_MESSAGE,
} from "../../../core/services/maintenance/maintenance.ts";
import { HOUR, MINUTE } from "../../../core/base/clock.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { maintenanceOf } from "../../../core/identity/maintenance/maintenance.ts";
import { Heading } from "../../parts/layout.tsx";
import { Button, Field, Form, Select, Submit, Time } from "../../parts/parts.tsx";
import { maintenanceText } from "../../parts/sentences.ts";
import { field, formPage } from "../../request/forms.ts";
import { adminPage, type PersonContext, type View } from "../../request/route.ts";
import { reauthenticatedForm } from "../entry/reauthentication.tsx";

const HERE = "/admin/maintenance";

const LENGTHS = [
  { value: "", name: "open", ms: undefined },
  { value: "15", name: "quarter", ms: 15 * MINUTE },
  { value: "60", name: "hour", ms: HOUR },
  { value: "240", name: "fourHours", ms: 4 * HOUR },
] as const;

/** The option that keeps the end of maintenance mode and changes only the message. */
const KEEP_END = "as-it-is";

/** The page on which admins start and end maintenance mode. */
export const maintenancePages = [
  adminPage("GET", HERE, (ctx) => maintenanceView(ctx)),
  reauthenticatedForm(adminPage, HERE, HERE, maintenanceView, async (ctx) => {
    const said = field(ctx.form, "message") || ctx.messages.admin.maintenance.usual;
    // The default message is stored as a constant, so each reader sees it in their language.
    const message = said === ctx.messages.admin.maintenance.usual ? USUAL_MESSAGE : said;
    const forMs = lengthOf(ctx, ctx.form.get("for"));
    await ctx.write(() => beginMaintenance(ctx.core, ctx.person.caller, { message, forMs }));
    return { to: HERE, notice: "maintenance-begun" };
  }),
  formPage(adminPage, `${HERE}/end`, maintenanceView, async (ctx) => {
    await ctx.write(() => endMaintenance(ctx.core, ctx.person.caller));
    return { to: HERE, notice: "maintenance-ended" };
  }),
];

/**
 * Returns the duration of maintenance mode in ms: the chosen duration, or the remaining time for `KEEP_END`.
 */
function lengthOf({ core }: PersonContext, chosen: string | null): number | undefined {
  if (chosen !== KEEP_END) return LENGTHS.find(({ value }) => value === chosen)?.ms;
  const until = maintenanceOf(core)?.until ?? null;
  return until === null ? undefined : until - core.clock.now();
}

function maintenanceView(ctx: PersonContext, error?: CoreError): View {
  const maintenance = maintenanceOf(ctx.core);
  const hasEnd = maintenance !== undefined && maintenance.until !== null;
  const messages = ctx.messages.admin.maintenance;
  const lengths = [
    ...(hasEnd ? [{ value: KEEP_END, words: messages.asItIs }] : []),
    ...LENGTHS.map(({ value, name }) => ({ value, words: messages.lengths[name] })),
  ];
  return {
    title: ctx.messages.admin.places.maintenance,
    error,
    body: (
      <>
        <Heading title={ctx.messages.admin.places.maintenance}>
          <p>{messages.lead}</p>
        </Heading>
        {maintenance && (
          <section class="part" aria-label={messages.now}>
            <p>
              {(maintenance.until === null ? messages.since : messages.sinceUntil)({
                since: <Time ctx={ctx} at={maintenance.since} />,
                until: <Time ctx={ctx} at={maintenance.until ?? maintenance.since} />,
              })}
            </p>
            <div class="actions with-space">
              <Form action={`${HERE}/end`} ctx={ctx} kind="inline">
                <Button>{messages.end}</Button>
              </Form>
            </div>
          </section>
        )}
        <section class="part">
          <h2>{messages.title}</h2>
          <Form action={HERE} ctx={ctx} kind="stack" error={error}>
            <Field
              name="message"
              label={messages.message}
              hint={messages.messageHint}
              value={
                field(ctx.form, "message") ||
                maintenanceText(ctx.messages, maintenance?.message ?? USUAL_MESSAGE)
              }
              maxlength={300}
              ctx={ctx}
              error={error}
              required
            />
            <Select
              name="for"
              label={messages.length}
              options={lengths.map(({ value, words: length }) => ({
                value,
                words: length,
                isOn: value === (ctx.form.get("for") ?? lengths[0]?.value),
              }))}
            />
            <Submit kind={maintenance ? "quiet" : "primary"}>
              {maintenance ? messages.change : messages.begin}
            </Submit>
          </Form>
        </section>
      </>
    ),
  };
}
