/** @jsxImportSource @kitajs/html */
import type { CommunitySettings } from "../../core/identity/community-settings/community-settings.ts";
import { footerLinksOf } from "../../core/identity/community-settings/footer-links.ts";
import type { PageContext } from "../request/route.ts";
import { ContactLink } from "./contact-link.tsx";
import { LanguageChoice } from "./language-choice.tsx";

/**
 * The foot of every page: the legal pages, the community's own links and the contact
 * (docs/contract.md#12.41). All parts come from the cached community settings.
 */
export function Foot({
  ctx,
  community,
  hasGraphiql,
}: {
  ctx: PageContext;
  community: CommunitySettings;
  hasGraphiql: boolean;
}) {
  const { layout, legal, community: texts } = ctx.messages;
  const links = [
    { href: "/about", label: texts.about.title },
    { href: "/privacy", label: legal.titles.privacy },
    { href: "/terms", label: legal.titles.terms },
    ...(community.imprint === "" ? [] : [{ href: "/imprint", label: legal.titles.imprint }]),
    { href: "/docs", label: layout.reference },
    ...(hasGraphiql ? [{ href: "/graphql", label: layout.graphql }] : []),
  ];
  const own = footerLinksOf(community.links);
  return (
    <footer class="foot">
      <ul>
        {links.map(({ href, label }) => (
          <li>
            <a href={href} safe>
              {label}
            </a>
          </li>
        ))}
      </ul>
      {own.length === 0 ? (
        ""
      ) : (
        <ul>
          {own.map(({ label, url }) => (
            <li>
              <a href={url} rel="noopener nofollow" dir="auto" safe>
                {label}
              </a>
            </li>
          ))}
        </ul>
      )}
      {community.contact === "" ? (
        ""
      ) : (
        <p class="foot-contact">
          {texts.about.contactTitle}: <ContactLink contact={community.contact} />
        </p>
      )}
      <LanguageChoice ctx={ctx} />
    </footer>
  );
}
