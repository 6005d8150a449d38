/** @jsxImportSource @kitajs/html */
import {
  BuilderQuery,
  listProfiles,
  listProfilesBy,
  skillsOf,
} from "../../../core/community/profiles/directory.ts";
import type { Profile } from "../../../core/community/profiles/profiles.ts";
import type { Page } from "../../../core/base/page.ts";
import { openingOf } from "../../../core/base/title.ts";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { Heading } from "../../parts/layout.tsx";
import { Button, Field, More, Rows } from "../../parts/parts.tsx";
import { filterOf, nextAddress, pageRequest } from "../../request/paging.ts";
import { type PersonContext, signedInPage, type View } from "../../request/route.ts";
import { tagPath } from "../feed/post-card.tsx";
import { Rank } from "./profile-parts.tsx";
import { NotStaffMark } from "../../parts/role-mark.tsx";

const HERE = "/builders";

/** The member list, which guests cannot see. */
export const builderPages = [signedInPage("GET", HERE, (ctx) => directoryView(ctx))];

const ORDERS = ["new", "xp", "name"] as const;
const SKILLS = 4;

function directoryView(ctx: PersonContext): View {
  const messages = ctx.messages.profiles.directory;
  const { caller } = ctx.person;
  const q = filterOf(ctx, "q");
  // A search has one order, because its index has one.
  const order = q === undefined ? ORDERS.find((one) => one === filterOf(ctx, "sort")) : undefined;
  const page: Page<Profile> =
    order === "xp" || order === "name"
      ? listProfilesBy(ctx.core, caller, order, pageRequest(ctx))
      : listProfiles(ctx.core, caller, { q }, pageRequest(ctx));
  const ids = page.nodes.map(({ id }) => id);
  const avatars = avatarUrls(ctx.core, ids);
  const skills = skillsOf(ctx.core, caller, ids, SKILLS);
  return {
    title: messages.title,
    isWide: true,
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        <form class="search" action={HERE} role="search" aria-label={messages.title}>
          <div class="search-words">
            <Field
              name="q"
              label={messages.search}
              type="search"
              value={q ?? ""}
              maxlength={BuilderQuery.properties.q.maxLength}
              placeholder={messages.search}
            />
            <Button kind="quiet">{messages.find}</Button>
          </div>
        </form>
        {q === undefined ? <Orders ctx={ctx} current={order ?? "new"} /> : ""}
        <Rows
          nodes={page.nodes}
          kind="people"
          empty={messages.nobody}
          lead={messages.nobodyLead}
          row={(profile) => (
            <BuilderCard
              ctx={ctx}
              profile={profile}
              picture={avatars.get(profile.id)}
              skills={skills.get(profile.id) ?? []}
            />
          )}
        />
        <More ctx={ctx} href={nextAddress(ctx, page)} label={messages.more} />
      </>
    ),
  };
}

function Orders({ ctx, current }: { ctx: PersonContext; current: (typeof ORDERS)[number] }) {
  const messages = ctx.messages.profiles.directory;
  return (
    <nav class="choice-row" aria-label={messages.sort}>
      {ORDERS.map((order) => (
        <a
          href={order === "new" ? HERE : `${HERE}?sort=${order}`}
          aria-current={order === current ? "page" : undefined}
        >
          {messages.orders[order]}
        </a>
      ))}
    </nav>
  );
}

function BuilderCard({
  ctx,
  profile,
  picture,
  skills,
}: {
  ctx: PersonContext;
  profile: Profile;
  picture: string | undefined;
  skills: readonly string[];
}) {
  const { username, name, bio, xp, streakDays, projects } = profile;
  const messages = ctx.messages.profiles.directory;
  const figures = [
    ...(xp > 0 ? [messages.xp({ points: xp })] : []),
    ...(streakDays > 1 ? [messages.streak({ count: streakDays })] : []),
    ...(projects.length > 0 ? [messages.projects({ count: projects.length })] : []),
  ];
  return (
    <li>
      <Avatar username={username} picture={picture} />
      <div class="person">
        <h2 class="row-title" dir="auto">
          <a href={`/@${username}`}>
            <bdi safe>{name}</bdi>
          </a>
          <NotStaffMark ctx={ctx} who={profile} />
        </h2>
        <p class="row-meta">
          <span safe>{`@${username}`}</span> <Rank ctx={ctx} profile={profile} />
        </p>
        {bio === "" ? (
          ""
        ) : (
          <p class="person-bio" dir="auto" safe>
            {openingOf(bio, BIO)}
          </p>
        )}
        {skills.length === 0 ? (
          ""
        ) : (
          <ul class="tags" aria-label={messages.skills}>
            {skills.map((tag) => (
              <li>
                <a class="tag" dir="auto" href={tagPath(tag)} safe>
                  {tag}
                </a>
              </li>
            ))}
          </ul>
        )}
        {figures.length === 0 ? "" : <p class="row-meta">{figures.join(" · ")}</p>}
      </div>
    </li>
  );
}

/** Length of a bio in the list, in characters. */
const BIO = 120;
