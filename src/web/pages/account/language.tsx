/** @jsxImportSource @kitajs/html */
import { changeProfile, ProfileChange } from "../../../core/community/profiles/profiles.ts";
import { chosenZone, getStreak } from "../../../core/community/xp/streaks.ts";
import { check } from "../../../core/base/check.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { chooseLanguage, LanguageDraft } from "../../../core/identity/builders/language.ts";
import { Form, Submit, Time } from "../../parts/parts.tsx";
import { cookieJar, setCookie } from "../../request/cookies.ts";
import { field, safePath } from "../../request/forms.ts";
import { publicPage, type PageAnswer, type PersonContext } from "../../request/route.ts";
import { isLanguage, LANGUAGES } from "../../../core/base/locales.ts";
import { messagesOf } from "../../../locale/messages.ts";

/** The language form for guests, at the foot of each page. */
export const languagePages = [
  publicPage("POST", "/language", ({ core, form }) => {
    const language = field(form, "language");
    const cookies = isLanguage(language) ? [setCookie(cookieJar(core.origin), "language", language)] : [];
    return { to: safePath(form.get("next")), cookies };
  }),
];

/** Saves the form of `LanguageForm`. Throws bad_request, and unprocessable for an unknown time zone. */
export async function chosenLanguage(ctx: PersonContext, to: string): Promise<PageAnswer> {
  const draft = check(LanguageDraft, { language: field(ctx.form, "language") || null });
  const zone = field(ctx.form, "time_zone");
  const change = check(ProfileChange, zone === "" ? {} : { time_zone: zone });
  await ctx.write(() =>
    ctx.core.db.transact(() => {
      chooseLanguage(ctx.core, ctx.person.caller, draft);
      changeProfile(ctx.core, ctx.person.caller, change);
    }),
  );
  return { to, notice: "saved" };
}

/** The form for a member's language and time zone. */
export function LanguageForm({
  ctx,
  action,
  error,
}: {
  ctx: PersonContext;
  action: string;
  error: CoreError | undefined;
}) {
  const messages = ctx.messages.account.language;
  const chosen = ctx.form.get("language") ?? ctx.person.language ?? "";
  return (
    <Form action={action} ctx={ctx} id="language" kind="stack narrow" error={error}>
      <div class="field">
        <label for="language-choice">{messages.label}</label>
        <p class="hint" id="language-hint">
          {messages.hint}
        </p>
        <select id="language-choice" name="language" aria-describedby="language-hint">
          <option value="" selected={chosen === ""}>
            {messages.browser}
          </option>
          {LANGUAGES.map((language) => (
            <option value={language} lang={language} selected={language === chosen}>
              {messagesOf(language).common.languageName}
            </option>
          ))}
        </select>
      </div>
      <ZoneField ctx={ctx} />
      <Submit>{messages.save}</Submit>
    </Form>
  );
}

/** The time zones that `Intl` knows, by continent. */
const ZONES: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC"])],
  (name) => (name.includes("/") ? (name.split("/")[0] ?? "") : ""),
);

/** Returns a zone's name without the continent, so that typing “Lisbon” finds it. */
function cityOf(continent: string, zone: string): string {
  return (continent === "" ? zone : zone.replace(`${continent}/`, "")).replaceAll("_", " ");
}

function ZoneField({ ctx }: { ctx: PersonContext }) {
  const messages = ctx.messages.profileSettings.zone;
  const streak = getStreak(ctx.core, ctx.person.caller);
  const current = chosenZone(ctx.core, ctx.person.caller.builderId) ?? "";
  const isListed = (zone: string): boolean => [...ZONES.values()].some((names) => names.includes(zone));
  const typed = ctx.form.get("time_zone")?.trim() ?? current;
  const selected = isListed(typed) ? typed : current;
  return (
    <div class="field">
      <label for="time_zone">{messages.label}</label>
      <p class="hint" id="time_zone-hint">
        {messages.hint}{" "}
        {streak.nextTimeZone &&
          messages.change({
            next: <span safe>{streak.nextTimeZone.name}</span>,
            when: <Time ctx={ctx} at={streak.nextTimeZone.since} />,
            current: <span safe>{streak.timeZone}</span>,
          })}
      </p>
      <select id="time_zone" name="time_zone" aria-describedby="time_zone-hint">
        {current === "" ? (
          <option value="" selected={selected === ""} safe>
            {messages.community({ zone: ctx.zone.name })}
          </option>
        ) : (
          ""
        )}
        {/* Adds the stored zone if the list lacks it, so that saving the form keeps the zone. */}
        {current === "" || isListed(current) ? (
          ""
        ) : (
          <option value={current} selected={selected === current} safe>
            {current}
          </option>
        )}
        {[...ZONES].map(([continent, names]) => (
          <optgroup label={continent || messages.elsewhere}>
            {names.map((name) => (
              <option value={name} selected={name === selected} safe>
                {cityOf(continent, name)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
}
