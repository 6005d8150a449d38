/** @jsxImportSource @kitajs/html */
import { BuilderQuery, listProfiles } from "../../../core/community/profiles/directory.ts";
import type { Profile } from "../../../core/community/profiles/profiles.ts";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { Heading } from "../../parts/layout.tsx";
import { Button, Field, More, Rows } from "../../parts/parts.tsx";
import { filterOf, nextAddress, pageRequest } from "../../request/paging.ts";
import { type PersonContext, signedInPage, type View } from "../../request/route.ts";
import { Rank } from "./profile-parts.tsx";
import { NotStaffMark } from "../../parts/role-mark.tsx";

const HERE = "/builders";

/** The member list, which guests cannot see. */
export const builderPages = [signedInPage("GET", HERE, (ctx) => directoryView(ctx))];

function directoryView(ctx: PersonContext): View {
  const messages = ctx.messages.profiles.directory;
  const q = filterOf(ctx, "q");
  const page = listProfiles(ctx.core, ctx.person.caller, { q }, pageRequest(ctx));
  const avatars = avatarUrls(
    ctx.core,
    page.nodes.map(({ id }) => id),
  );
  return {
    title: messages.title,
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
        <Rows
          nodes={page.nodes}
          kind="rows register"
          empty={messages.nobody}
          lead={messages.nobodyLead}
          row={(profile) => <BuilderRow ctx={ctx} profile={profile} picture={avatars.get(profile.id)} />}
        />
        <More ctx={ctx} href={nextAddress(ctx, page)} label={messages.more} />
      </>
    ),
  };
}

function BuilderRow({
  ctx,
  profile,
  picture,
}: {
  ctx: PersonContext;
  profile: Profile;
  picture: string | undefined;
}) {
  const { username, name, xp, streakDays, projects } = profile;
  const messages = ctx.messages.profiles.directory;
  const figures = [
    ...(xp > 0 ? [messages.xp({ points: xp })] : []),
    ...(streakDays > 1 ? [messages.streak({ count: streakDays })] : []),
    ...(projects.length > 0 ? [messages.projects({ count: projects.length })] : []),
  ];
  return (
    <li class="thread">
      <Avatar username={username} picture={picture} />
      <div class="row-main">
        <h2 class="row-title" dir="auto">
          <a href={`/@${username}`}>
            <bdi safe>{name}</bdi>
          </a>
          <NotStaffMark ctx={ctx} who={profile} />
          <Rank ctx={ctx} profile={profile} />
        </h2>
        <p class="row-meta">
          <span safe>{`@${username}`}</span>
          {figures.map((figure) => ` · ${figure}`).join("")}
        </p>
      </div>
    </li>
  );
}
