/** @jsxImportSource @kitajs/html */
import { Type } from "@sinclair/typebox";
import { removeAvatar, setAvatar } from "../../../core/community/media/avatars.ts";
import { refuse } from "../../../core/base/errors.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { getPosts } from "../../../core/community/feed/feed.ts";
import { titleOf } from "../../../core/base/title.ts";
import { type IdKind, isId } from "../../../core/base/ids.ts";
import { getJobs } from "../../../core/community/jobs/jobs.ts";
import { changeProfile, getOwnProfile, ProfileChange } from "../../../core/community/profiles/profiles.ts";
import { listProjects, type Project, PROJECTS_MAX } from "../../../core/community/profiles/projects.ts";
import { getPrompts } from "../../../core/community/prompts/prompts.ts";
import { listXp, type XpEntry } from "../../../core/community/xp/xp.ts";
import { field, formPage, readDraft } from "../../request/forms.ts";
import { describeXpEntry } from "../../parts/sentences.ts";
import { Heading } from "../../parts/layout.tsx";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { PictureForm } from "../../parts/pictures.tsx";
import { encodeUpload } from "../../request/pictures.ts";
import { Ago, Button, Form, More, Rows, Select, Submit } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import {
  type PersonContext,
  signedInPage,
  type View,
  type PageContext,
  withFile,
} from "../../request/route.ts";
import { Level } from "../people/profile-parts.tsx";

const HERE = "/settings/profile";
const About = Type.Required(Type.Pick(ProfileChange, ["name", "bio", "place", "links", "pinned_project"]));

/** The settings of the member's own profile, and the XP ledger. */
export const profileSettingsPages = [
  signedInPage("GET", HERE, (ctx) => settingsView(ctx)),
  formPage(signedInPage, HERE, settingsView, async (ctx) => {
    const change = readDraft(About, ctx.form, {
      links: field(ctx.form, "links").split(/\s+/).filter(Boolean),
    });
    await ctx.write(() => changeProfile(ctx.core, ctx.person.caller, change));
    return { to: HERE, notice: "saved" };
  }),
  withFile(
    formPage(signedInPage, `${HERE}/avatar`, pictureView, async (ctx) => {
      const saveUpload = await encodeUpload(ctx);
      if (!saveUpload) throw refuse("file_missing");
      await ctx.write(() => setAvatar(ctx.core, ctx.person.caller, { media: saveUpload() }));
      return { to: HERE, notice: "saved" };
    }),
  ),
  formPage(signedInPage, `${HERE}/avatar/remove`, pictureView, async (ctx) => {
    await ctx.write(() => removeAvatar(ctx.core, ctx.person.caller));
    return { to: HERE, notice: "saved" };
  }),
  signedInPage("GET", "/settings/xp", (ctx) => xpView(ctx)),
];

/** Shows the settings page again after a picture was rejected. */
function pictureView(ctx: PersonContext, error: CoreError): View {
  return settingsView(ctx, undefined, error);
}

function settingsView(ctx: PersonContext, error?: CoreError, pictureError?: CoreError): View {
  const messages = ctx.messages.profileSettings;
  const { core, person } = ctx;
  const profile = getOwnProfile(core, person.caller);
  const about = formOf(ctx, About, { messages, error, stored: profile });
  const projects = listProjects(core, person.caller, { limit: PROJECTS_MAX }).nodes;
  return {
    title: messages.title,
    section: "profile",
    error: error ?? pictureError,
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead({ address: `/@${profile.username}` })}</p>
        </Heading>
        <about.Form action={HERE}>
          <about.Field name="name" autocomplete="name" />
          <about.TextArea name="bio" />
          <about.Field name="place" />
          <about.TextArea name="links" rows={3} />
          {projects.length === 0 ? (
            ""
          ) : (
            <Select
              name="pinned_project"
              label={messages.pinned}
              hint={messages.pinnedHint}
              options={[
                { value: "", words: messages.notPinned },
                ...projects.map(({ id, title }) => ({
                  value: id,
                  words: title,
                  isOn: id === (ctx.form.get("pinned_project") ?? profile.pinnedProjectId),
                })),
              ]}
            />
          )}
          <Submit>{messages.save}</Submit>
        </about.Form>
        <PictureOrIdenticon ctx={ctx} username={profile.username} error={pictureError} />
        <section class="part" id="projects">
          <h2>{messages.projects.title}</h2>
          <p class="hint">{messages.projects.lead}</p>
          {projects.length === 0 ? "" : <Projects projects={projects} ctx={ctx} />}
          <div class="actions">
            <a class="button quiet" href={`${HERE}/projects/new`}>
              {messages.projects.add}
            </a>
          </div>
        </section>
      </>
    ),
  };
}

/** The member's picture or identicon, and the button to switch between them. */
function PictureOrIdenticon({
  ctx,
  username,
  error,
}: {
  ctx: PersonContext;
  username: string;
  error: CoreError | undefined;
}) {
  const messages = ctx.messages.profileSettings.avatar;
  const { builderId } = ctx.person.caller;
  const picture = avatarUrls(ctx.core, [builderId]).get(builderId);
  return (
    <PictureForm
      ctx={ctx}
      id="avatar"
      action={`${HERE}/avatar`}
      messages={messages}
      removal={picture === undefined ? undefined : <Button kind="quiet">{messages.remove}</Button>}
      error={error}
    >
      <div class="look">
        <Avatar username={username} picture={picture} isLarge />
        <p class="hint">{picture === undefined ? messages.crest : messages.picture}</p>
      </div>
    </PictureForm>
  );
}

function Projects({ projects, ctx }: { projects: readonly Project[]; ctx: PersonContext }) {
  const messages = ctx.messages.profileSettings.projects;
  return (
    <ul class="rows with-space">
      {projects.map(({ id, title, url }) => (
        <li>
          <div class="row-main">
            <p class="row-title" dir="auto" safe>
              {title}
            </p>
            {url === null ? (
              ""
            ) : (
              <p class="row-meta" dir="auto" safe>
                {url.replace(/^https:\/\//, "")}
              </p>
            )}
          </div>
          <div class="actions">
            <a
              class="button quiet small"
              href={`${HERE}/projects/${id}`}
              aria-label={messages.changeOf({ title })}
            >
              {messages.change}
            </a>
            <Form
              action={`${HERE}/projects/${id}/delete`}
              ctx={ctx}
              kind="inline"
              label={messages.removeOf({ title })}
            >
              <button class="button danger small">{messages.remove}</button>
            </Form>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The XP ledger. Each line names the reason and links to the subject. */
function xpView(ctx: PersonContext): View {
  const messages = ctx.messages.profileSettings.xp;
  const { core, person } = ctx;
  const profile = getOwnProfile(core, person.caller);
  const page = listXp(core, person.caller, pageRequest(ctx));
  const subjects = subjectsOf(ctx, page.nodes);
  return {
    title: messages.title,
    section: "profile",
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead({ points: profile.xp, address: `/@${profile.username}` })}</p>
        </Heading>
        <Level ctx={ctx} profile={profile} />
        <Rows
          nodes={page.nodes}
          kind="rows ledger"
          empty={messages.empty}
          lead={messages.emptyLead}
          row={(entry) => <Entry entry={entry} subject={subjects.get(entry.subjectId)} ctx={ctx} />}
        />
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}

function Entry({
  entry,
  subject,
  ctx,
}: {
  entry: XpEntry;
  subject: EntrySubject | undefined;
  ctx: PageContext;
}) {
  const { points, createdAt } = entry;
  const sign = points > 0 ? "+" : points < 0 ? "−" : "";
  return (
    <li>
      <div class="row-main">
        <p class="row-title plainly" dir="auto" safe>
          {describeXpEntry(ctx.messages, entry)}
        </p>
        <p class="row-meta">
          {subject === undefined ? (
            ""
          ) : (
            <>
              <a href={subject.href} dir="auto" safe>
                {subject.title}
              </a>{" "}
              ·{" "}
            </>
          )}
          <Ago ctx={ctx} at={createdAt} />
        </p>
      </div>
      <p
        class={points < 0 ? "points less" : "points"}
      >{`${sign}${ctx.messages.formats.number(Math.abs(points))}`}</p>
    </li>
  );
}

/** The subject of an entry, if it still exists. */
interface EntrySubject {
  title: string;
  href: string;
}

/** Reads the subjects with one query for each kind. An entry for a day has no subject. */
function subjectsOf(
  { core, person }: PersonContext,
  entries: readonly XpEntry[],
): ReadonlyMap<string, EntrySubject> {
  const ids = (kind: IdKind): string[] => [
    ...new Set(entries.map(({ subjectId }) => subjectId).filter((id) => isId(kind, id))),
  ];
  const posts = getPosts(core, person.caller, ids("post"));
  const prompts = getPrompts(core, person.caller, ids("prompt"));
  const jobs = getJobs(core, person.caller, ids("job"));
  return new Map<string, EntrySubject>([
    ...posts.map(({ id, text }) => [id, { title: titleOf(text), href: `/posts/${id}` }] as const),
    ...prompts.map(({ id, title }) => [id, { title, href: `/prompts/${id}` }] as const),
    ...jobs.map(({ id, title }) => [id, { title, href: `/jobs/${id}` }] as const),
  ]);
}
