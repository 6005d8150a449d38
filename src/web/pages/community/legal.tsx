/** @jsxImportSource @kitajs/html */
import { refuse } from "../../../core/base/errors.ts";
import { renderMarkdown } from "../../../core/base/markdown.ts";
import { communitySettingsOf } from "../../../core/identity/community-settings/community-settings.ts";
import { ContactLink } from "../../parts/contact-link.tsx";
import { Heading } from "../../parts/layout.tsx";
import { type PageContext, publicPage, type View } from "../../request/route.ts";
import { legalTemplate, TEMPLATES, type TemplateName } from "./legal-templates.ts";

/** The legal pages (docs/contract.md#12.41). Guests can read them in a members-only community, too. */
export const legalPages = [
  ...TEMPLATES.map((name) => publicPage("GET", `/${name}`, (ctx) => legalView(ctx, name))),
  publicPage("GET", "/imprint", (ctx) => imprintView(ctx)),
];

/** Shows the community's text, or else the template in the reader's language. */
function legalView(ctx: PageContext, name: TemplateName): View {
  const { legal, language } = ctx.messages;
  const own = communitySettingsOf(ctx.core)[name];
  return {
    title: legal.titles[name],
    linkPreview: { description: legal.titles[name], path: `/${name}` },
    body: (
      <>
        <Heading title={legal.titles[name]}>{own === "" ? <p>{legal.template}</p> : ""}</Heading>
        <LegalText text={own === "" ? legalTemplate(ctx.core, name, language) : own} />
      </>
    ),
  };
}

/** Without an imprint, the page shows the contact. Without both, there is no page. */
function imprintView(ctx: PageContext): View {
  const { legal } = ctx.messages;
  const { imprint, contact } = communitySettingsOf(ctx.core);
  const title = legal.titles.imprint;
  if (imprint !== "")
    return {
      title,
      linkPreview: { description: title, path: "/imprint" },
      body: (
        <>
          <Heading title={title} />
          <LegalText text={imprint} isAddress />
        </>
      ),
    };
  if (contact === "") throw refuse("nothing_here");
  return {
    title,
    body: (
      <>
        <Heading title={title}>
          <p>{legal.imprintLead}</p>
        </Heading>
        <p>
          <ContactLink contact={contact} />
        </p>
      </>
    ),
  };
}

/** `isAddress`: line breaks of the text are shown, as in a postal address. */
function LegalText({ text, isAddress = false }: { text: string; isAddress?: boolean }) {
  return (
    <div class={["prose", "legal", isAddress && "address"]} dir="auto">
      {renderMarkdown(text, { below: 1, id: "legal" })}
    </div>
  );
}
