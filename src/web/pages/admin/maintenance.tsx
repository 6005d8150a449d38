/** @jsxImportSource @kitajs/html */
import {
  beginMaintenance,
  endMaintenance,
  USUAL_MESSAGE,
} from "../../../core/services/maintenance/maintenance.ts";
import { HOUR, MINUTE } from "../../../core/base/clock.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { maintenanceOf } from "../../../core/identity/maintenance/maintenance.ts";
import { Button, Field, Form, Select, Submit, Time } from "../../parts/parts.tsx";
import { maintenanceText } from "../../parts/sentences.ts";
import { field, formPage } from "../../request/forms.ts";
import { adminPage, type PersonAsk, type View } from "../../request/route.ts";
import { reauthenticatedForm } from "../entry/reauthentication.tsx";
import { AdminHead } from "./head.tsx";

const HERE = "/admin/maintenance";

const LENGTHS = [
  { value: "", name: "open", ms: undefined },
  { value: "15", name: "quarter", ms: 15 * MINUTE },
  { value: "60", name: "hour", ms: HOUR },
  { value: "240", name: "fourHours", ms: 4 * HOUR },
] as const;

/** The choice to change the message without the end. */
const AS_IT_IS = "as-it-is";

/** The page on which admins begin and end maintenance. */
export const maintenancePages = [
  adminPage("GET", HERE, (ask) => maintenanceView(ask)),
  reauthenticatedForm(adminPage, HERE, HERE, maintenanceView, async (ask) => {
    const said = field(ask.form, "message") || ask.words.admin.maintenance.usual;
    // What is usual is kept as such, and said to each in their own language.
    const message = said === ask.words.admin.maintenance.usual ? USUAL_MESSAGE : said;
    const forMs = lengthOf(ask, ask.form.get("for"));
    await ask.write(() => beginMaintenance(ask.core, ask.person.caller, { message, forMs }));
    return { to: HERE, notice: "maintenance-begun" };
  }),
  formPage(adminPage, `${HERE}/end`, maintenanceView, async (ask) => {
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
  const words = ask.words.admin.maintenance;
  const lengths = [
    ...(hasEnd ? [{ value: AS_IT_IS, words: words.asItIs }] : []),
    ...LENGTHS.map(({ value, name }) => ({ value, words: words.lengths[name] })),
  ];
  return {
    title: ask.words.admin.places.maintenance,
    error,
    body: (
      <>
        <AdminHead ask={ask} title={ask.words.admin.places.maintenance}>
          <p>{words.lead}</p>
        </AdminHead>
        {told && (
          <section class="part" aria-label={words.now}>
            <p>
              {(told.until === null ? words.since : words.sinceUntil)({
                since: <Time ask={ask} at={told.since} />,
                until: <Time ask={ask} at={told.until ?? told.since} />,
              })}
            </p>
            <div class="actions with-space">
              <Form action={`${HERE}/end`} ask={ask} kind="inline">
                <Button>{words.end}</Button>
              </Form>
            </div>
          </section>
        )}
        <section class="part">
          <h2>{told ? words.changeTitle : words.beginTitle}</h2>
          <Form action={HERE} ask={ask} kind="stack" error={error}>
            <Field
              name="message"
              label={words.message}
              hint={words.messageHint}
              value={field(ask.form, "message") || maintenanceText(ask.words, told?.message ?? USUAL_MESSAGE)}
              maxlength={300}
              ask={ask}
              error={error}
              required
            />
            <Select
              name="for"
              label={words.length}
              options={lengths.map(({ value, words: length }) => ({
                value,
                words: length,
                isOn: value === (ask.form.get("for") ?? lengths[0]?.value),
              }))}
            />
            <Submit kind={told ? "quiet" : "primary"}>{told ? words.change : words.begin}</Submit>
          </Form>
        </section>
      </>
    ),
  };
}
