/** @jsxImportSource @kitajs/html */
import { isAtLeast } from "../../../core/identity/access/roles.ts";
import {
  changeNotificationSettings,
  type NotificationSettingsDraft,
  reachOfKinds,
} from "../../../core/services/notifications/settings.ts";
import {
  factsOf,
  CHOSEN_KINDS,
  type NotificationKind,
  type Reach,
  REACHES,
  reaches,
} from "../../../core/identity/notifications/kinds.ts";
import { sendsMail } from "../../../core/identity/mail/mail.ts";
import { Heading } from "../../parts/layout.tsx";
import { Form, Submit } from "../../parts/parts.tsx";
import { field } from "../../request/forms.ts";
import { type PersonAsk, signedInPage, type View } from "../../request/route.ts";

const HERE = "/settings/notifications";

/** The channels of this server. Mail needs a mail server. */
function offered({ core }: PersonAsk): readonly Reach[] {
  return REACHES.filter((reach) => reach !== "mail" || sendsMail(core));
}

/** The notification settings. */
export const notificationSettingsPages = [
  signedInPage("GET", HERE, (ask) => view(ask)),
  signedInPage("POST", HERE, async (ask) => {
    const stored = reachOfKinds(ask.core, ask.person.caller);
    const change: NotificationSettingsDraft = {};
    for (const kind of CHOSEN_KINDS) {
      const chosen = offered(ask).find((reach) => reach === field(ask.form, kind));
      // What is shown as devices may be mail: only what was changed is stored.
      if (chosen !== undefined && chosen !== shown(ask, stored[kind])) change[kind] = chosen;
    }
    await ask.write(() => changeNotificationSettings(ask.core, ask.person.caller, change));
    return { to: HERE, notice: "saved" };
  }),
];

/** The farthest that is offered and no farther than what is chosen. */
function shown(ask: PersonAsk, chosen: Reach): Reach {
  return offered(ask).findLast((reach) => reaches(chosen, reach)) ?? "off";
}

function view(ask: PersonAsk): View {
  const { title, settings: words } = ask.words.notifications;
  const chosen = reachOfKinds(ask.core, ask.person.caller);
  const forAll = CHOSEN_KINDS.filter((kind) => factsOf(kind).forRole === undefined);
  const forCrew = CHOSEN_KINDS.filter((kind) => {
    const { forRole } = factsOf(kind);
    return forRole !== undefined && isAtLeast(ask.person.role, forRole);
  });
  return {
    title,
    section: "notifications",
    body: (
      <>
        <Heading title={title}>
          <p>{words.lead}</p>
        </Heading>
        <dl class="told-hints">
          {offered(ask).map((reach) => (
            <div>
              <dt>{words.reaches[reach]}</dt>
              <dd>{words.hints[reach]}</dd>
            </div>
          ))}
        </dl>
        <Form action={HERE} ask={ask}>
          <div class="told-room">
            <table class="told-choices">
              <thead>
                <tr>
                  <th scope="col">{words.kind}</th>
                  {offered(ask).map((reach) => (
                    <th scope="col">{words.reaches[reach]}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {forAll.map((kind) => (
                  <Choice ask={ask} kind={kind} chosen={chosen[kind]} />
                ))}
              </tbody>
              {forCrew.length > 0 ? (
                <tbody>
                  <tr>
                    <th scope="rowgroup" class="told-group" colspan={offered(ask).length + 1}>
                      {words.forAdmins}
                    </th>
                  </tr>
                  {forCrew.map((kind) => (
                    <Choice ask={ask} kind={kind} chosen={chosen[kind]} />
                  ))}
                </tbody>
              ) : (
                ""
              )}
            </table>
          </div>
          <Submit>{words.save}</Submit>
        </Form>
      </>
    ),
  };
}

function Choice({ ask, kind, chosen }: { ask: PersonAsk; kind: NotificationKind; chosen: Reach }) {
  const { kinds, settings: words } = ask.words.notifications;
  return (
    <tr>
      <th scope="row">{kinds[kind]}</th>
      {offered(ask).map((reach) => (
        <td>
          <label>
            <input
              type="radio"
              name={kind}
              value={reach}
              checked={reach === shown(ask, chosen)}
              aria-label={words.each({ kind: kinds[kind], reach: words.reaches[reach] })}
            />
          </label>
        </td>
      ))}
    </tr>
  );
}
