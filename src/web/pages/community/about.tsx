/** @jsxImportSource @kitajs/html */
import { type Counts, getCommunity, listTeam } from "../../../core/services/community-settings/community.ts";
import { openingOf } from "../../../core/base/title.ts";
import { renderMarkdown } from "../../../core/base/markdown.ts";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { Heading } from "../../parts/layout.tsx";
import { ContactLink } from "../../parts/contact-link.tsx";
import { Logo } from "../../parts/logo.tsx";
import { publicPage, type PageContext, type View } from "../../request/route.ts";

/** The public page about the community. A members-only community shows no names or counts there. */
export const aboutPages = [publicPage("GET", "/about", (ctx) => aboutView(ctx))];

export function aboutView(ctx: PageContext): View {
  const messages = ctx.messages.community.about;
  const { name, line, welcome, rules, contact, reading, joining, counts } = getCommunity(
    ctx.core,
    ctx.person?.caller,
  );
  return {
    title: messages.title,
    linkPreview: {
      title: name,
      description: line || openingOf(welcome, 200) || ctx.messages.community.cards.about({ community: name }),
      // A community may show this page to guests instead of the feed.
      path: ctx.context.path === "/" ? "/" : "/about",
    },
    body: (
      <>
        <Logo core={ctx.core} isLarge />
        <Heading title={name}>
          {line === "" ? (
            ""
          ) : (
            <p dir="auto" safe>
              {line}
            </p>
          )}
        </Heading>
        {counts ? <Figures ctx={ctx} counts={counts} /> : ""}
        {welcome === "" ? "" : <Prose id="welcome" text={welcome} below={1} />}
        {rules === "" ? (
          ""
        ) : (
          <section class="part" id="rules">
            <h2>{messages.rules}</h2>
            <Prose id="rule" text={rules} below={2} />
          </section>
        )}
        {ctx.person ? (
          ""
        ) : (
          <section class="part" id="join">
            <h2>{messages.joinTitle}</h2>
            <p>{messages.join[joining]}</p>
            {reading === "members" ? <p>{messages.forMembers}</p> : ""}
          </section>
        )}
        <Stewards ctx={ctx} />
        {contact === null ? "" : <Contact ctx={ctx} contact={contact} />}
      </>
    ),
  };
}

/** Markdown of the community settings; `id` is the prefix of its footnotes' ids. */
function Prose({ id, text, below }: { id: string; text: string; below: 1 | 2 }) {
  return (
    <div class="prose" dir="auto">
      {renderMarkdown(text, { below, id })}
    </div>
  );
}

function Figures({ ctx, counts }: { ctx: PageContext; counts: Counts }) {
  const messages = ctx.messages.community.about.counts;
  const figures = [
    messages.members({ count: counts.members }),
    ...(counts.activeMonth > 0 ? [messages.active({ count: counts.activeMonth })] : []),
    ...(counts.posts > 0 ? [messages.posts({ count: counts.posts })] : []),
    ...(counts.replies > 0 ? [messages.replies({ count: counts.replies })] : []),
    ...(counts.jobs > 0 ? [messages.jobs({ count: counts.jobs })] : []),
    ...(counts.prompts > 0 ? [messages.prompts({ count: counts.prompts })] : []),
  ];
  return (
    <p class="hint figures-line" safe>
      {figures.join(" · ")}
    </p>
  );
}

function Stewards({ ctx }: { ctx: PageContext }) {
  const messages = ctx.messages.community.about;
  const stewards = listTeam(ctx.core, ctx.person?.caller);
  if (stewards.length === 0) return "";
  const avatars = avatarUrls(
    ctx.core,
    stewards.map(({ id }) => id),
  );
  return (
    <section class="part">
      <h2>{messages.stewards}</h2>
      <ul class="rows">
        {stewards.map(({ id, username, name, role }) => (
          <li class="steward">
            <Avatar username={username} picture={avatars.get(id)} />
            <p>
              <a href={`/@${username}`}>
                <bdi safe>{name}</bdi>
              </a>{" "}
              <span class="quietly" safe>{`@${username} · ${messages.roles[role]}`}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Contact({ ctx, contact }: { ctx: PageContext; contact: string }) {
  return (
    <section class="part">
      <h2>{ctx.messages.community.about.contactTitle}</h2>
      <p>
        <ContactLink contact={contact} />
      </p>
    </section>
  );
}
