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
import { Heading } from "../../parts/layout.tsx";
import { Logo } from "../../parts/logo.tsx";
import { PictureForm } from "../../parts/pictures.tsx";
import { ENCODING_SECONDS } from "../../request/pictures.ts";
import { etagOf } from "../../../http/answer.ts";
import { Preview, SubmitOrPreview } from "../../parts/preview.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { Button, Submit } from "../../parts/parts.tsx";
import { field, previewOrSubmit, prose } from "../../request/forms.ts";
import { adminPage, type PersonContext, type View, withFile } from "../../request/route.ts";
import { withReauthentication, reauthenticatedForm } from "../entry/reauthentication.tsx";
import { messagesOf } from "../../../locale/messages.ts";
import { legalTemplate, TEMPLATES, type TemplateName } from "../community/legal-templates.ts";
import { AccentPreview } from "./accent-preview.tsx";

const HERE = "/admin/community";

/** The sections of the page. Each has its own form. */
const SECTIONS = {
  name: ["name", "line", "contact"],
  look: ["accent"],
  texts: ["welcome", "rules"],
  doors: ["front", "reading", "joining"],
  place: ["language", "zone"],
  newcomers: ["newcomerDays", "newcomerPost"],
  legal: ["privacy", "terms", "imprint", "links"],
  brakes: [
    "holdNewcomerLinks",
    "reportsToHide",
    "equalTexts",
    "heldWords",
    "heldLinkHosts",
    "networkSignUps",
    "hourlySignUps",
  ],
} as const satisfies Record<string, readonly (keyof CommunitySettings)[]>;
type Section = keyof typeof SECTIONS;

/** The settings with more than one line. */
const LONG_TEXTS: ReadonlySet<keyof CommunitySettings> = new Set([
  "welcome",
  "rules",
  "privacy",
  "terms",
  "imprint",
  "links",
  "heldWords",
  "heldLinkHosts",
]);

/** The page of the community settings (docs/contract.md#12.25). */
export const adminCommunityPages = [
  adminPage(
    "GET",
    HERE,
    withReauthentication(HERE, (ctx) => communityView(ctx)),
  ),
  ...(Object.keys(SECTIONS) as Section[]).map((section) => {
    const showAgain = (ctx: PersonContext, error?: CoreError): View => communityView(ctx, section, error);
    return reauthenticatedForm(adminPage, `${HERE}/${section}`, HERE, showAgain, (ctx) =>
      previewOrSubmit(showAgain, async () => {
        const changes = changesIn(ctx, SECTIONS[section]);
        await ctx.write(() => changeCommunitySettings(ctx.core, ctx.person.caller, changes));
        return { to: HERE, notice: "saved" };
      })(ctx),
    );
  }),
  withFile(
    reauthenticatedForm(
      adminPage,
      `${HERE}/logo`,
      HERE,
      (ctx, error) => communityView(ctx, "logo", error),
      async (ctx) => {
        const { core, file, person, context } = ctx;
        requireMayChangeCommunity(core, person.caller);
        if (!file) throw refuse("file_missing");
        context.keepOpen(ENCODING_SECONDS);
        const sizes = await pictureStorageOf(core).encode(file, person.caller.builderId);
        await ctx.write(() => setLogo(core, person.caller, sizes));
        return { to: HERE, notice: "saved" };
      },
    ),
  ),
  reauthenticatedForm(
    adminPage,
    `${HERE}/logo/remove`,
    HERE,
    (ctx, error) => communityView(ctx, "logo", error),
    async (ctx) => {
      await ctx.write(() => setLogo(ctx.core, ctx.person.caller, null));
      return { to: HERE, notice: "saved" };
    },
  ),
];

/**
 * Returns the settings whose sent value differs from both the displayed and the stored value. An empty field
 * resets its setting. Changes that another admin saved while the form was open are kept.
 */
function changesIn(
  { core, form }: PersonContext,
  parts: readonly (keyof CommunitySettings)[],
): CommunitySettingsChange {
  const now = communitySettingsOf(core);
  const changed = parts.filter((part) => {
    const sent = sentValue(form, part);
    return form.has(part) && markOf(sent) !== form.get(shownName(part)) && sent !== String(now[part]);
  });
  return Object.fromEntries(
    changed.map((part) => [part, valueOfField(part, sentValue(form, part))]),
  ) as CommunitySettingsChange;
}

/**
 * Returns the name of the field with the displayed value. The field holds a hash, because a text may be long.
 */
function shownName(part: keyof CommunitySettings): string {
  return `shown-${part}`;
}

const markOf = (value: string): string => etagOf(value).slice(1, -1);

function valueOfField(part: keyof CommunitySettings, sent: string): string | number | boolean | null {
  if (sent === "") return null;
  if (part === "holdNewcomerLinks") return sent === "true" ? true : sent === "false" ? false : sent;
  return CommunitySettingsDraft.properties[part].type === "integer" ? Number(sent) : sent;
}

function sentValue(form: URLSearchParams, part: keyof CommunitySettings): string {
  if (LONG_TEXTS.has(part)) return prose(form, part).trim();
  const sent = field(form, part);
  if (part === "accent") return sent.toLowerCase();
  // A post may also be given as a URL, which ends with the post's id.
  if (part === "newcomerPost") return sent.replace(/^.*\//, "");
  return sent;
}

function communityView(ctx: PersonContext, failed?: Section | "logo", error?: CoreError): View {
  const settings = communitySettingsOf(ctx.core);
  const messages = ctx.messages.community.admin;
  return {
    title: messages.title,
    error,
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        {(Object.keys(SECTIONS) as Section[]).map((section) => (
          <>
            <SectionForm
              ctx={ctx}
              section={section}
              settings={settings}
              error={section === failed ? error : undefined}
            />
            {section === "look" ? <LogoForm ctx={ctx} error={failed === "logo" ? error : undefined} /> : ""}
          </>
        ))}
      </>
    ),
  };
}

interface SectionProps {
  ctx: PersonContext;
  settings: CommunitySettings;
  error: CoreError | undefined;
}

/** All settings are optional. An empty field resets its setting. */
const Sayings = Type.Partial(CommunitySettingsDraft);

function fieldsOf({ ctx, settings, error }: SectionProps) {
  const stored = withTemplate(ctx, settings);
  return formOf(ctx, Sayings, { messages: ctx.messages.community.admin, error, stored });
}
type Fields = ReturnType<typeof fieldsOf>;

function SectionForm({ section, ...props }: SectionProps & { section: Section }) {
  const { ctx, settings } = props;
  const messages = ctx.messages.community.admin;
  const fields = fieldsOf(props);
  return (
    <section class="part">
      <h2>{messages.sections[section]}</h2>
      <fields.Form action={`${HERE}/${section}`} label={messages.sections[section]}>
        {SECTIONS[section].map((part) => (
          <input
            type="hidden"
            name={shownName(part)}
            value={ctx.form.get(shownName(part)) ?? markOf(String(settings[part]))}
          />
        ))}
        {FIELDS[section](fields, props)}
        {section === "texts" || section === "look" || section === "legal" ? (
          <SubmitOrPreview ctx={ctx}>{messages.save}</SubmitOrPreview>
        ) : (
          <Submit>{messages.save}</Submit>
        )}
      </fields.Form>
    </section>
  );
}

/** The page sets the length limits of these fields, because `TextArea` drops the limit of the draft. */
const { welcome, rules, links, heldWords, heldLinkHosts, ...legal } = Sayings.properties;

const FIELDS: Readonly<Record<Section, (fields: Fields, props: SectionProps) => JSX.Element>> = {
  name: ({ Field }) => (
    <>
      <Field name="name" />
      <Field name="line" />
      <Field name="contact" />
    </>
  ),
  look: ({ Field }, { ctx, settings }) => (
    <>
      <Field name="accent" placeholder={DEFAULT_ACCENT} />
      <AccentPreview ctx={ctx} accent={field(ctx.form, "accent").toLowerCase() || settings.accent} />
    </>
  ),
  texts: ({ TextArea }, { ctx }) => (
    <>
      <TextArea name="welcome" rows={5} maxlength={welcome["maxLength"] as number} />
      <Preview ctx={ctx} name="welcome" hasMentions={false} />
      <TextArea name="rules" rows={10} maxlength={rules["maxLength"] as number} />
      <Preview ctx={ctx} name="rules" hasMentions={false} />
    </>
  ),
  doors({ Choices }, { ctx }) {
    const { readings, joinings, fronts } = ctx.messages.community.admin;
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
      <Select name="language" option={(value: Language) => messagesOf(value).common.languageName} />
      <Field name="zone" />
    </>
  ),
  newcomers: ({ Field }) => (
    <>
      <Field name="newcomerDays" of="days" />
      <Field name="newcomerPost" of="post" maxlength={300} />
    </>
  ),
  legal: ({ TextArea }, { ctx }) => (
    <>
      {LEGAL.map((name) => (
        <>
          <TextArea name={name} rows={8} maxlength={legal[name]["maxLength"] as number} />
          {name === "imprint" || ctx.form.size > 0 ? "" : <TemplateLink ctx={ctx} name={name} />}
          <Preview ctx={ctx} name={name} hasMentions={false} />
        </>
      ))}
      <TextArea name="links" rows={5} maxlength={links["maxLength"] as number} />
    </>
  ),
  brakes: ({ Field, TextArea, Choices }, { ctx }) => (
    <>
      <p>{ctx.messages.community.admin.brakesLead}</p>
      <Choices
        name="holdNewcomerLinks"
        type="radio"
        values={["true", "false"]}
        option={(value: "true" | "false") => ctx.messages.community.admin.linkHolding[value]}
      />
      <Field name="equalTexts" />
      <Field name="reportsToHide" />
      <TextArea name="heldWords" rows={4} maxlength={heldWords["maxLength"] as number} />
      <TextArea name="heldLinkHosts" rows={4} maxlength={heldLinkHosts["maxLength"] as number} />
      <Field name="networkSignUps" />
      <Field name="hourlySignUps" />
    </>
  ),
};

const LEGAL = ["privacy", "terms", "imprint"] as const;

/** The link that fills a field with its template. The page saves nothing before the admin does. */
function TemplateLink({ ctx, name }: { ctx: PersonContext; name: TemplateName }) {
  const { template } = ctx.messages.community.admin;
  return (
    <p>
      <a class="button quiet" href={`${HERE}?template=${name}#legal`}>
        {template[name]}
      </a>
    </p>
  );
}

/**
 * Returns the settings with the template that the URL names, in the community's language. The hash of the
 * stored text stays in the form, so the template counts as a change.
 */
function withTemplate({ core, query }: PersonContext, settings: CommunitySettings): CommunitySettings {
  const name = TEMPLATES.find((each) => each === query.get("template"));
  return name === undefined
    ? settings
    : { ...settings, [name]: legalTemplate(core, name, settings.language) };
}

function LogoForm({ ctx, error }: { ctx: PersonContext; error: CoreError | undefined }) {
  const messages = ctx.messages.community.admin;
  const hasLogo = findLogo(ctx.core) !== undefined;
  return (
    <PictureForm
      ctx={ctx}
      id="logo"
      action={`${HERE}/logo`}
      messages={{
        title: messages.logo,
        file: messages.logoFile,
        fileHint: messages.logoHint,
        save: messages.saveLogo,
      }}
      label={messages.logo}
      removal={hasLogo ? <Button kind="danger">{messages.removeLogo}</Button> : undefined}
      error={error}
    >
      {hasLogo ? <Logo core={ctx.core} isLarge /> : <p class="hint">{messages.noLogo}</p>}
    </PictureForm>
  );
}
