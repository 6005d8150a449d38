/** @jsxImportSource @kitajs/html */
import {
  followBuilder,
  followedAmong,
  listFollowedTags,
  listFollowing,
  unfollowBuilder,
} from "../../../core/community/following/following.ts";
import type { Profile } from "../../../core/community/profiles/profiles.ts";
import { Heading } from "../../parts/layout.tsx";
import { Button, Form, More } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { type PageAsk, type PersonAsk, signedInPage, type View } from "../../request/route.ts";
import { FollowButton } from "../feed/followed.tsx";
import { tagPath } from "../feed/post-card.tsx";
import { NotStaffMark } from "../../parts/role-mark.tsx";

const LIST = "/settings/following";

/** Following members, and the list of them. */
export const followingPages = [
  signedInPage("GET", LIST, (ask) => followingView(ask)),
  signedInPage("POST", "/@:username/follow", (ask) => setFollowed(ask, followBuilder)),
  signedInPage("POST", "/@:username/unfollow", (ask) => setFollowed(ask, unfollowBuilder)),
];

async function setFollowed(ask: PersonAsk, act: typeof followBuilder) {
  const username = ask.params["username"] ?? "";
  await ask.write(() => act(ask.core, ask.person.caller, username));
  return { to: ask.form.get("back") === "list" ? LIST : `/@${encodeURIComponent(username)}` };
}

/** The follow button on another member's profile. */
export function Follow({ ask, profile }: { ask: PageAsk; profile: Profile }) {
  if (!ask.person) return "";
  const isFollowed = followedAmong(ask.core, ask.person.caller, [profile.id]).has(profile.id);
  return (
    <Form action={`/@${profile.username}/${isFollowed ? "unfollow" : "follow"}`} ask={ask} kind="inline">
      <FollowButton ask={ask} isFollowed={isFollowed} />
    </Form>
  );
}

/** More tags than anybody can follow fit on two pages. */
const TAGS = { limit: 100 };

function followingView(ask: PersonAsk): View {
  const words = ask.words.following.list;
  const { core, person } = ask;
  const page = listFollowing(core, person.caller, pageRequest(ask));
  const first = listFollowedTags(core, person.caller, TAGS);
  const last = first.nodes.at(-1);
  const rest =
    first.hasNextPage && last
      ? listFollowedTags(core, person.caller, { ...TAGS, cursor: first.cursorOf(last) }).nodes
      : [];
  const tags = [...first.nodes, ...rest].map(({ tag }) => tag);
  return {
    title: words.title,
    section: "following",
    body: (
      <>
        <Heading title={words.title}>
          <p>{words.lead}</p>
        </Heading>
        <section class="part">
          <h2>{words.builders}</h2>
          {page.nodes.length === 0 ? (
            <p class="hint">{words.nobody}</p>
          ) : (
            <ul class="rows">
              {page.nodes.map(({ username, name, followers }) => (
                <Row
                  ask={ask}
                  href={`/@${username}`}
                  name={name}
                  mark={<NotStaffMark ask={ask} who={{ username, name }} />}
                  what={`@${username}`}
                  more={` · ${words.count({ followers })}`}
                  action={`/@${username}/unfollow`}
                />
              ))}
            </ul>
          )}
          <More ask={ask} href={nextAddress(ask, page)} words={words.more} />
        </section>
        <section class="part">
          <h2>{words.tags}</h2>
          {tags.length === 0 ? (
            <p class="hint">{words.noTag}</p>
          ) : (
            <ul class="rows">
              {tags.map((tag) => (
                <Row
                  ask={ask}
                  href={tagPath(tag)}
                  name={`#${tag}`}
                  what={`#${tag}`}
                  action={`/tags/${encodeURIComponent(tag)}/unfollow`}
                />
              ))}
            </ul>
          )}
        </section>
      </>
    ),
  };
}

/** One that is followed, and the end of it. */
function Row({
  ask,
  href,
  name,
  mark = "",
  what,
  more,
  action,
}: {
  ask: PersonAsk;
  href: string;
  name: string;
  mark?: JSX.Element;
  /** The label of what the button ends. */
  what: string;
  /** Beside a builder's handle. */
  more?: string;
  action: string;
}) {
  const words = ask.words.following;
  return (
    <li>
      <div class="row-main">
        <h3 class="row-title" dir="auto">
          <a href={href}>
            <bdi safe>{name}</bdi>
          </a>
          {mark}
        </h3>
        {more === undefined ? (
          ""
        ) : (
          <p class="row-meta" safe>
            {`${what}${more}`}
          </p>
        )}
      </div>
      <Form action={action} ask={ask} kind="inline" label={words.list.end({ what })}>
        <input type="hidden" name="back" value="list" />
        <Button kind="quiet">{words.list.stop}</Button>
      </Form>
    </li>
  );
}
