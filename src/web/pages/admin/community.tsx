/** @jsxImportSource @kitajs/html */
import { Type } from "@sinclair/typebox";
import {
  type CommunitySettingsChange,
  changeCommunitySettings,
  requireMayChangeCommunity,
  setLogo,
} from "../../../core/services/community-settings/community-settings.ts";
import { pictureStorageOf } from "../../../core/community/media/picture-storage.ts";
import { type CoreError, refuse } from "../../../core/base/errors.ts";
import type { Language } from "../../../core/base/locales.ts";
import { DEFAULT_ACCENT } from "../../../core/identity/community-settings/accent.ts";
import {
  type CommunitySettings,
  CommunitySettingsDraft,
  communitySettingsOf,
  findLogo,
} from "../../../core/identity/community-settings/community-settings.ts";
import { Logo } from "../../parts/logo.tsx";
import { PictureForm } from "../../parts/pictures.tsx";
import { ENCODING_SECONDS } from "../../request/pictures.ts";
import { etagOf } from "../../../http/answer.ts";
import { Preview, SubmitOrPreview } from "../../parts/preview.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { Button, Submit } from "../../parts/parts.tsx";
import { field, previewOrSubmit, prose } from "../../request/forms.ts";
import { adminPage, type PersonAsk, type View, withFile } from "../../request/route.ts";
import { withReauthentication, reauthenticatedForm } from "../entry/reauthentication.tsx";
import { wordsIn } from "../../../locale/words.ts";
import { AccentPreview } from "./accent-preview.tsx";
import { AdminHead } from "./head.tsx";

const HERE = "/admin/community";

/** The sections of the page, each saved by its own form. */
const SECTIONS = {
  name: ["name", "line", "contact"],
  look: ["accent"],
  texts: ["welcome", "rules"],
  doors: ["front", "reading", "joining"],
  place: ["language", "zone"],
  newcomers: ["newcomerDays", "newcomerPost"],
} as const satisfies Record<string, readonly (keyof CommunitySettings)[]>;
type Section = keyof typeof SECTIONS;

/** The page of the community settings (docs/contract.md#12.25). */
export const adminCommunityPages = [
  adminPage(
    "GET",
    HERE,
    withReauthentication(HERE, (ask) => communityView(ask)),
  ),
  ...(Object.keys(SECTIONS) as Section[]).map((section) => {
    const again = (ask: PersonAsk, error?: CoreError): View => communityView(ask, section, error);
    return reauthenticatedForm(adminPage, `${HERE}/${section}`, HERE, again, (ask) =>
      previewOrSubmit(again, async () => {
        const changes = changesIn(ask, SECTIONS[section]);
        await ask.write(() => changeCommunitySettings(ask.core, ask.person.caller, changes));
        return { to: HERE, notice: "saved" };
      })(ask),
    );
  }),
  withFile(
    reauthenticatedForm(
      adminPage,
      `${HERE}/logo`,
      HERE,
      (ask, error) => communityView(ask, "logo", error),
      async (ask) => {
        const { core, file, person, context } = ask;
        requireMayChangeCommunity(core, person.caller);
        if (!file) throw refuse("file_missing");
        context.keepOpen(ENCODING_SECONDS);
        const drawn = await pictureStorageOf(core).draw(file, person.caller.builderId);
        await ask.write(() => setLogo(core, person.caller, drawn));
        return { to: HERE, notice: "saved" };
      },
    ),
  ),
  reauthenticatedForm(
    adminPage,
    `${HERE}/logo/remove`,
    HERE,
    (ask, error) => communityView(ask, "logo", error),
    async (ask) => {
      await ask.write(() => setLogo(ask.core, ask.person.caller, null));
      return { to: HERE, notice: "saved" };
    },
  ),
];

/**
 * What was sent of these and is another than the form showed and than what holds; empty takes a saying back. What
 * somebody else has said while the form stood open stays: it was not this form that was to change it.
 */
function changesIn(
  { core, form }: PersonAsk,
  parts: readonly (keyof CommunitySettings)[],
): CommunitySettingsChange {
  const now = communitySettingsOf(core);
  const changed = parts.filter((part) => {
    const sent = sentOf(form, part);
    return form.has(part) && markOf(sent) !== form.get(shownName(part)) && sent !== String(now[part]);
  });
  return Object.fromEntries(
    changed.map((part) => [part, saidIn(part, sentOf(form, part))]),
  ) as CommunitySettingsChange;
}

/** The field that says what a form showed of a part: a mark, as a text may be long. */
function shownName(part: keyof CommunitySettings): string {
  return `shown-${part}`;
}

const markOf = (value: string): string => etagOf(value).slice(1, -1);

function saidIn(part: keyof CommunitySettings, sent: string): string | number | null {
  if (sent === "") return null;
  return part === "newcomerDays" ? Number(sent) : sent;
}

function sentOf(form: URLSearchParams, part: keyof CommunitySettings): string {
  if (part === "welcome" || part === "rules") return prose(form, part).trim();
  const sent = field(form, part);
  if (part === "accent") return sent.toLowerCase();
  // A post is named by its address, too, which ends with its id.
  if (part === "newcomerPost") return sent.replace(/^.*\//, "");
  return sent;
}

function communityView(ask: PersonAsk, failed?: Section | "logo", error?: CoreError): View {
  const settings = communitySettingsOf(ask.core);
  const words = ask.words.community.admin;
  return {
    title: words.title,
    error,
    body: (
      <>
        <AdminHead ask={ask} title={words.title}>
          <p>{words.lead}</p>
        </AdminHead>
        {(Object.keys(SECTIONS) as Section[]).map((section) => (
          <>
            <SectionForm
              ask={ask}
              section={section}
              settings={settings}
              error={section === failed ? error : undefined}
            />
            {section === "look" ? <LogoForm ask={ask} error={failed === "logo" ? error : undefined} /> : ""}
          </>
        ))}
      </>
    ),
  };
}

interface SectionProps {
  ask: PersonAsk;
  settings: CommunitySettings;
  error: CoreError | undefined;
}

/** Nothing has to be filled in: an empty field takes a saying back. */
const Sayings = Type.Partial(CommunitySettingsDraft);

function fieldsOf({ ask, settings, error }: SectionProps) {
  return formOf(ask, Sayings, { words: ask.words.community.admin, error, stored: settings });
}
type Fields = ReturnType<typeof fieldsOf>;

function SectionForm({ section, ...asked }: SectionProps & { section: Section }) {
  const { ask, settings } = asked;
  const words = ask.words.community.admin;
  const fields = fieldsOf(asked);
  return (
    <section class="part">
      <h2>{words.sections[section]}</h2>
      <fields.Form action={`${HERE}/${section}`} label={words.sections[section]}>
        {SECTIONS[section].map((part) => (
          <input
            type="hidden"
            name={shownName(part)}
            value={ask.form.get(shownName(part)) ?? markOf(String(settings[part]))}
          />
        ))}
        {FIELDS[section](fields, asked)}
        {section === "texts" || section === "look" ? (
          <SubmitOrPreview ask={ask}>{words.save}</SubmitOrPreview>
        ) : (
          <Submit>{words.save}</Submit>
        )}
      </fields.Form>
    </section>
  );
}

/** `TextArea` leaves the limit away. Here it is shown. */
const { welcome, rules } = Sayings.properties;

const FIELDS: Readonly<Record<Section, (fields: Fields, asked: SectionProps) => JSX.Element>> = {
  name: ({ Field }) => (
    <>
      <Field name="name" />
      <Field name="line" />
      <Field name="contact" />
    </>
  ),
  look: ({ Field }, { ask, settings }) => (
    <>
      <Field name="accent" placeholder={DEFAULT_ACCENT} />
      <AccentPreview ask={ask} accent={field(ask.form, "accent").toLowerCase() || settings.accent} />
    </>
  ),
  texts: ({ TextArea }, { ask }) => (
    <>
      <TextArea name="welcome" rows={5} maxlength={welcome["maxLength"] as number} />
      <Preview ask={ask} name="welcome" namesPeople={false} />
      <TextArea name="rules" rows={10} maxlength={rules["maxLength"] as number} />
      <Preview ask={ask} name="rules" namesPeople={false} />
    </>
  ),
  doors({ Choices }, { ask }) {
    const { readings, joinings, fronts } = ask.words.community.admin;
    return (
      <>
        <Choices
          name="reading"
          type="radio"
          option={(value: CommunitySettings["reading"]) => readings[value]}
        />
        <Choices
          name="joining"
          type="radio"
          option={(value: CommunitySettings["joining"]) => joinings[value]}
        />
        <Choices name="front" type="radio" option={(value: CommunitySettings["front"]) => fronts[value]} />
      </>
    );
  },
  place: ({ Field, Select }) => (
    <>
      <Select name="language" option={(value: Language) => wordsIn(value).common.languageName} />
      <Field name="zone" />
    </>
  ),
  newcomers: ({ Field }) => (
    <>
      <Field name="newcomerDays" of="days" />
      <Field name="newcomerPost" of="post" maxlength={300} />
    </>
  ),
};

function LogoForm({ ask, error }: { ask: PersonAsk; error: CoreError | undefined }) {
  const words = ask.words.community.admin;
  const hasLogo = findLogo(ask.core) !== undefined;
  return (
    <PictureForm
      ask={ask}
      id="logo"
      action={`${HERE}/logo`}
      words={{ title: words.logo, file: words.logoFile, fileHint: words.logoHint, save: words.saveLogo }}
      label={words.logo}
      removal={hasLogo ? <Button kind="danger">{words.removeLogo}</Button> : undefined}
      error={error}
    >
      {hasLogo ? <Logo core={ask.core} isLarge /> : <p class="hint">{words.noLogo}</p>}
    </PictureForm>
  );
}
