/** @jsxImportSource @kitajs/html */
import { renderMarkdown } from "../../../core/base/markdown.ts";
import {
  type CommunitySettings,
  communitySettingsOf,
} from "../../../core/identity/community-settings/community-settings.ts";
import { listTeam } from "../../../core/services/community-settings/community.ts";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { Logo } from "../../parts/logo.tsx";
import type { PageContext } from "../../request/route.ts";

/**
 * The front page until the first post: what the community is, who runs it, what will be here, and for guests
 * how to join (docs/contract.md#9.40).
 */
export function EmptyCommunity({ ctx }: { ctx: PageContext }) {
  const { name, line, welcome, rules, joining, reading, front } = communitySettingsOf(ctx.core);
  const { emptyCommunity: messages, feed } = ctx.messages;
  const title = messages.title({ name: <bdi safe>{name}</bdi> });
  return (
    <div class="empty-community">
      <div class="opening">
        <Logo core={ctx.core} isLarge />
        {ctx.person ? <h2 class="opening-title">{title}</h2> : <h1 class="opening-title">{title}</h1>}
        <p class="opening-line" dir="auto" safe>
          {line || feed.sidebar.place}
        </p>
        {welcome === "" ? (
          ""
        ) : (
          <div class="prose" dir="auto">
            {renderMarkdown(welcome, { below: ctx.person ? 2 : 1, id: "welcome" })}
          </div>
        )}
      </div>
      <div class="opening-card">
        <Host ctx={ctx} />
        {!ctx.person ? (
          <Joining ctx={ctx} joining={joining} />
        ) : reading === "everybody" && front === "feed" ? (
          <p>{messages.forMembers}</p>
        ) : (
          ""
        )}
      </div>
      <section class="offers" aria-labelledby="offers">
        <h2 id="offers">{messages.offersTitle}</h2>
        <ul>
          {OFFERS.map(({ offer, href }) => (
            <li>
              <h3>{href ? <a href={href}>{ctx.messages.layout[offer]}</a> : ctx.messages.layout[offer]}</h3>
              <p>{messages.offers[offer]}</p>
            </li>
          ))}
        </ul>
      </section>
      {rules === "" ? (
        ""
      ) : (
        <section class="opening-rules" aria-labelledby="rules">
          <h2 id="rules">{ctx.messages.community.about.rules}</h2>
          <div class="prose" dir="auto">
            {renderMarkdown(rules, { below: 2, id: "rule" })}
          </div>
        </section>
      )}
    </div>
  );
}

/** The places of the community, in the order of the masthead. The feed is this page. */
const OFFERS = [
  { offer: "feed", href: undefined },
  { offer: "jobs", href: "/jobs" },
  { offer: "prompts", href: "/prompts" },
] as const;

/** The owner who joined first. Nobody if the operator set the community up without an owner. */
function Host({ ctx }: { ctx: PageContext }) {
  const host = listTeam(ctx.core, ctx.person?.caller).find(({ role }) => role === "owner");
  if (!host) return "";
  const { id, username, name } = host;
  return (
    <div class="host">
      <Avatar username={username} picture={avatarUrls(ctx.core, [id]).get(id)} isLarge />
      <p>
        <a href={`/@${username}`}>
          <bdi safe>{name}</bdi>
        </a>
        <span>{ctx.messages.emptyCommunity.host}</span>
      </p>
    </div>
  );
}

function Joining({ ctx, joining }: { ctx: PageContext; joining: CommunitySettings["joining"] }) {
  const messages = ctx.messages.emptyCommunity;
  const mayAsk = joining === "open" || joining === "approval";
  return (
    <>
      <p>{messages.joining[joining]}</p>
      {mayAsk ? (
        <JoinButton ctx={ctx} joining={joining} />
      ) : (
        <p class="actions">
          <a class="button primary" href="/sign-in">
            {ctx.messages.layout.signIn}
          </a>
        </p>
      )}
    </>
  );
}

/** The button to join, if guests may ask. */
export function JoinButton({ ctx, joining }: { ctx: PageContext; joining: CommunitySettings["joining"] }) {
  const messages = ctx.messages.emptyCommunity;
  if (joining !== "open" && joining !== "approval") return "";
  return (
    <>
      <p class="actions">
        <a class="button primary" href="/sign-up">
          {messages.join[joining]}
        </a>
      </p>
      <p class="hint">{messages.signIn}</p>
    </>
  );
}
