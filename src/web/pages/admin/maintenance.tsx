/** @jsxImportSource @kitajs/html */
import {
  beginMaintenance,
  endMaintenance,
  USUAL_MESSAGE,
} from "../../../core/across/maintenance/maintenance.ts";
import { HOUR, MINUTE } from "../../../core/ground/clock.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { maintenanceOf } from "../../../core/identity/maintenance/maintenance.ts";
import { Button, Fault, Field, Form, Select, Submit, Time } from "../../parts/parts.tsx";
import { field, posted } from "../../request/forms.ts";
import { forAdmins, type PersonAsk, type View } from "../../request/route.ts";
import { provedForm } from "../entry/proof.tsx";
import { AdminHead } from "./head.tsx";

const HERE = "/admin/maintenance";

const LENGTHS = [
  { value: "", words: "Until somebody ends it", ms: undefined },
  { value: "15", words: "For a quarter of an hour", ms: 15 * MINUTE },
  { value: "60", words: "For an hour", ms: HOUR },
  { value: "240", words: "For four hours", ms: 4 * HOUR },
] as const;

/** For who changes what is said alone, and not when it ends. */
const AS_IT_IS = "as-it-is";

/** Where admins have everything rest that is not theirs, and end it. */
export const maintenancePages = [
  forAdmins("GET", HERE, (ask) => maintenanceView(ask)),
  provedForm(forAdmins, HERE, HERE, maintenanceView, async (ask) => {
    const message = field(ask.form, "message") || USUAL_MESSAGE;
    const forMs = lengthOf(ask, ask.form.get("for"));
    await ask.write(() => beginMaintenance(ask.core, ask.person.caller, { message, forMs }));
    return { to: HERE, notice: "maintenance-begun" };
  }),
  posted(forAdmins, `${HERE}/end`, maintenanceView, async (ask) => {
    await ask.write(() => endMaintenance(ask.core, ask.person.caller));
    return { to: HERE, notice: "maintenance-ended" };
  }),
];

/** The end that it has already, or one counted from now. */
function lengthOf({ core }: PersonAsk, chosen: string | null): number | undefined {
  if (chosen !== AS_IT_IS) return LENGTHS.find(({ value }) => value === chosen)?.ms;
  const until = maintenanceOf(core)?.until ?? null;
  return until === null ? undefined : until - core.clock.now();
}

function maintenanceView(ask: PersonAsk, error?: CoreError): View {
  const told = maintenanceOf(ask.core);
  const hasEnd = told !== undefined && told.until !== null;
  const lengths = hasEnd ? [{ value: AS_IT_IS, words: "As long as before" }, ...LENGTHS] : LENGTHS;
  return {
    title: "Maintenance",
    error,
    body: (
      <>
        <AdminHead ask={ask} title="Maintenance">
          <p>
            Everybody goes on reading, and nobody but admins changes anything. Deliveries wait, and go out
            when it ends.
          </p>
        </AdminHead>
        {told && (
          <section class="part" aria-label="Now">
            <p>
              It has been on since <Time ask={ask} at={told.since} /> UTC
              {told.until === null ? (
                ", until somebody ends it."
              ) : (
                <>
                  , until <Time ask={ask} at={told.until} /> UTC.
                </>
              )}
            </p>
            <div class="actions with-space">
              <Form action={`${HERE}/end`} token={ask.formToken} kind="inline">
                <Button>End maintenance</Button>
              </Form>
            </div>
          </section>
        )}
        <section class="part">
          <h2>{told ? "Change what is said" : "Begin"}</h2>
          <Form action={HERE} token={ask.formToken} kind="stack">
            <Fault ask={ask} error={error} fields={["message"]} />
            <Field
              name="message"
              label="What people are told"
              hint="A sentence or two, at the head of every page and in every refusal."
              value={field(ask.form, "message") || told?.message || USUAL_MESSAGE}
              maxlength={300}
              ask={ask}
              error={error}
              required
            />
            <Select
              name="for"
              label="How long"
              options={lengths.map(({ value, words }) => ({
                value,
                words,
                isOn: value === (ask.form.get("for") ?? lengths[0]?.value),
              }))}
            />
            <Submit kind={told ? "quiet" : "primary"}>{told ? "Change" : "Begin maintenance"}</Submit>
          </Form>
        </section>
      </>
    ),
  };
}
