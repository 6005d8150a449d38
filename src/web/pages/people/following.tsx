/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import {
  followBuilder,
  followedAmong,
  listFollowedTags,
  listFollowing,
  unfollowBuilder,
} from "../../../core/community/following/following.ts";
import type { Profile } from "../../../core/community/profiles/profiles.ts";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { Heading } from "../../parts/layout.tsx";
import { More } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { type PageContext, type PersonContext, signedInPage, type View } from "../../request/route.ts";
import { FollowForm, type FollowState, TagFollowForm } from "../feed/followed.tsx";
import { tagPath } from "../feed/post-card.tsx";
import { NotStaffMark } from "../../parts/role-mark.tsx";

const LIST = "/settings/following";

/** Following members, and the list of followed members. */
export const followingPages = [
  signedInPage("GET", LIST, (ctx) => followingView(ctx)),
  signedInPage("POST", "/@:username/follow", (ctx) => setFollowed(ctx, followBuilder)),
  signedInPage("POST", "/@:username/unfollow", (ctx) => setFollowed(ctx, unfollowBuilder)),
];

async function setFollowed(ctx: PersonContext, change: typeof followBuilder) {
  const username = ctx.params["username"] ?? "";
  const { following } = await ctx.write(() => change(ctx.core, ctx.person.caller, username));
  const isList = ctx.form.get("back") === "list";
  return {
    to: isList ? LIST : `/@${encodeURIComponent(username)}`,
    fragment: () => <BuilderFollowForm {...{ ctx, username, isList }} isFollowed={following} />,
  };
}

/** The follow button on another member's profile. */
export function Follow({ ctx, profile }: { ctx: PageContext; profile: Profile }) {
  if (!ctx.person) return "";
  const isFollowed = followedAmong(ctx.core, ctx.person.caller, [profile.id]).has(profile.id);
  return <BuilderFollowForm ctx={ctx} username={profile.username} isFollowed={isFollowed} />;
}

function BuilderFollowForm({ username, ...followed }: FollowState & { username: string }) {
  return <FollowForm {...followed} path={`/@${encodeURIComponent(username)}`} what={`@${username}`} />;
}

/** Two pages of this size show all tags, because members can follow at most 200. */
const TAGS = { limit: 100 };

function followingView(ctx: PersonContext): View {
  const messages = ctx.messages.following.list;
  const { core, person } = ctx;
  const page = listFollowing(core, person.caller, pageRequest(ctx));
  const first = listFollowedTags(core, person.caller, TAGS);
  const last = first.nodes.at(-1);
  const rest =
    first.hasNextPage && last
      ? listFollowedTags(core, person.caller, { ...TAGS, cursor: first.cursorOf(last) }).nodes
      : [];
  const pictures = avatarUrls(
    core,
    page.nodes.map(({ id }) => id),
  );
  const tags = [...first.nodes, ...rest].map(({ tag }) => tag);
  return {
    title: messages.title,
    section: "following",
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        <section class="part">
          <h2>{messages.builders}</h2>
          {page.nodes.length === 0 ? (
            <p class="hint">{messages.nobody}</p>
          ) : (
            <ul class="rows followed">
              {page.nodes.map(({ id, username, name, followers }) => (
                <Row
                  face={<Avatar username={username} picture={pictures.get(id)} />}
                  href={`/@${username}`}
                  name={name}
                  mark={<NotStaffMark ctx={ctx} who={{ username, name }} />}
                  meta={`@${username}${followers === 0 ? "" : ` · ${messages.count({ followers })}`}`}
                >
                  <BuilderFollowForm ctx={ctx} username={username} isFollowed isList />
                </Row>
              ))}
            </ul>
          )}
          <More ctx={ctx} href={nextAddress(ctx, page)} label={messages.more} />
        </section>
        <section class="part">
          <h2>{messages.tags}</h2>
          {tags.length === 0 ? (
            <p class="hint">{messages.noTag}</p>
          ) : (
            <ul class="rows followed">
              {tags.map((tag) => (
                <Row href={tagPath(tag)} name={`#${tag}`}>
                  <TagFollowForm ctx={ctx} tag={tag} isFollowed isList />
                </Row>
              ))}
            </ul>
          )}
        </section>
      </>
    ),
  };
}

/** A followed member or tag. `children` is the button to unfollow. */
function Row({
  href,
  name,
  face = "",
  mark = "",
  meta,
  children,
}: PropsWithChildren<{
  href: string;
  name: string;
  face?: JSX.Element;
  mark?: JSX.Element;
  /** Text below the name of a builder. */
  meta?: string;
}>) {
  return (
    <li>
      {face}
      <div class="row-main">
        <h3 class="row-title" dir="auto">
          <a href={href}>
            <bdi safe>{name}</bdi>
          </a>
          {mark}
        </h3>
        {meta === undefined ? (
          ""
        ) : (
          <p class="row-meta" safe>
            {meta}
          </p>
        )}
      </div>
      {children}
    </li>
  );
}
