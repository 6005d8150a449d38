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
  type Preset,
  PRESETS,
  presetReach,
} from "../../../core/identity/notifications/kinds.ts";
import { sendsMail } from "../../../core/identity/mail/mail.ts";
import { Heading } from "../../parts/layout.tsx";
import { NotificationTabs } from "../../parts/notification-tabs.tsx";
import { Form, Submit } from "../../parts/parts.tsx";
import { field } from "../../request/forms.ts";
import { type PersonContext, signedInPage, type View } from "../../request/route.ts";

const HERE = "/settings/notifications";

/** Returns the channels of this server. Mail needs a mail server. */
function offered({ core }: PersonContext): readonly Reach[] {
  return REACHES.filter((reach) => reach !== "mail" || sendsMail(core));
}

export const notificationSettingsPages = [
  signedInPage("GET", HERE, (ctx) => view(ctx)),
  signedInPage("POST", HERE, async (ctx) => {
    const preset = PRESETS.find((name) => name === field(ctx.form, "preset"));
    if (preset !== undefined) {
      const all = Object.fromEntries(CHOSEN_KINDS.map((kind) => [kind, presetReach(preset, kind)]));
      await ctx.write(() => changeNotificationSettings(ctx.core, ctx.person.caller, all));
      return { to: HERE, notice: "saved" };
    }
    const stored = reachOfKinds(ctx.core, ctx.person.caller);
    const change: NotificationSettingsDraft = {};
    for (const kind of CHOSEN_KINDS) {
      const chosen = offered(ctx).find((reach) => reach === field(ctx.form, kind));
      // Without a mail server, the stored choice `mail` is shown as `push`. So only values that differ from
      // the shown values are stored.
      if (chosen !== undefined && chosen !== shown(ctx, stored[kind])) change[kind] = chosen;
    }
    await ctx.write(() => changeNotificationSettings(ctx.core, ctx.person.caller, change));
    return { to: HERE, notice: "saved" };
  }),
];

/** Returns the stored choice, or the next lower channel that this server has. */
function shown(ctx: PersonContext, chosen: Reach): Reach {
  return offered(ctx).findLast((reach) => reaches(chosen, reach)) ?? "off";
}

function view(ctx: PersonContext): View {
  const { title, settings: messages } = ctx.messages.notifications;
  const chosen = reachOfKinds(ctx.core, ctx.person.caller);
  const forAll = CHOSEN_KINDS.filter((kind) => factsOf(kind).forRole === undefined);
  const forCrew = CHOSEN_KINDS.filter((kind) => {
    const { forRole } = factsOf(kind);
    return forRole !== undefined && isAtLeast(ctx.person.role, forRole);
  });
  const current = PRESETS.find((preset) =>
    [...forAll, ...forCrew].every(
      (kind) => shown(ctx, chosen[kind]) === shown(ctx, presetReach(preset, kind)),
    ),
  );
  return {
    title,
    section: "notifications",
    body: (
      <>
        <NotificationTabs ctx={ctx} />
        <Heading title={title}>
          <p>{messages.lead}</p>
        </Heading>
        <Presets ctx={ctx} current={current} />
        <section class="part">
          <h2>{messages.fine}</h2>
          <p class="hint">{messages.fineLead}</p>
          <dl class="told-hints">
            {offered(ctx).map((reach) => (
              <div>
                <dt>{messages.reaches[reach]}</dt>
                <dd>{messages.hints[reach]}</dd>
              </div>
            ))}
          </dl>
          <Form action={HERE} ctx={ctx}>
            <div class="told-room">
              <table class="told-choices">
                <thead>
                  <tr>
                    <th scope="col">{messages.kind}</th>
                    {offered(ctx).map((reach) => (
                      <th scope="col">{messages.reaches[reach]}</th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {forAll.map((kind) => (
                    <Choice ctx={ctx} kind={kind} chosen={chosen[kind]} />
                  ))}
                </tbody>
                {forCrew.length > 0 ? (
                  <tbody>
                    <tr>
                      <th scope="rowgroup" class="told-group" colspan={offered(ctx).length + 1}>
                        {messages.forAdmins}
                      </th>
                    </tr>
                    {forCrew.map((kind) => (
                      <Choice ctx={ctx} kind={kind} chosen={chosen[kind]} />
                    ))}
                  </tbody>
                ) : (
                  ""
                )}
              </table>
            </div>
            <Submit>{messages.save}</Submit>
          </Form>
        </section>
      </>
    ),
  };
}

/** One button for each preset. The button of the current preset is pressed. */
function Presets({ ctx, current }: { ctx: PersonContext; current: Preset | undefined }) {
  const messages = ctx.messages.notifications.settings;
  return (
    <Form action={HERE} ctx={ctx} label={messages.presets}>
      <div class="presets">
        {PRESETS.map((preset) => (
          <button
            class="preset"
            name="preset"
            value={preset}
            aria-pressed={preset === current ? "true" : "false"}
          >
            <strong>{messages.preset[preset].words}</strong>
            <span>{messages.preset[preset].hint}</span>
          </button>
        ))}
      </div>
      <p class="hint">
        {current === undefined ? messages.custom : messages.current({ name: messages.preset[current].words })}
      </p>
    </Form>
  );
}

function Choice({ ctx, kind, chosen }: { ctx: PersonContext; kind: NotificationKind; chosen: Reach }) {
  const { kinds, settings: messages } = ctx.messages.notifications;
  return (
    <tr>
      <th scope="row">{kinds[kind]}</th>
      {offered(ctx).map((reach) => (
        <td>
          <label>
            <input
              type="radio"
              name={kind}
              value={reach}
              checked={reach === shown(ctx, chosen)}
              aria-label={messages.each({ kind: kinds[kind], reach: messages.reaches[reach] })}
            />
          </label>
        </td>
      ))}
    </tr>
  );
}
