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
import { posted, readDraft } from "../../request/forms.ts";
import { weave } from "../../parts/weave.ts";
import { sentenceOfXp } from "../../parts/sentences.ts";
import { Heading } from "../../parts/layout.tsx";
import { Face, facesOf } from "../../parts/face.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { PICTURES } from "../../parts/pictures.tsx";
import { drawSent } from "../../request/pictures.ts";
import { Ago, Button, Empty, FileField, Form, More, Submit } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/reading.ts";
import { type PersonAsk, personal, type View, type PageAsk, withFile } from "../../request/route.ts";
import { Level } from "../people/profile-parts.tsx";

const HERE = "/settings/profile";
const NameAndBio = Type.Required(Type.Pick(ProfileChange, ["name", "bio"]));

/** What others see of oneself, and where the points come from. */
export const profileSettingsPages = [
  personal("GET", HERE, (ask) => settingsView(ask)),
  posted(personal, HERE, settingsView, async (ask) => {
    const change = readDraft(NameAndBio, ask.form);
    await ask.write(() => changeProfile(ask.core, ask.person.caller, change));
    return { to: HERE, notice: "saved" };
  }),
  withFile(
    posted(personal, `${HERE}/avatar`, settingsView, async (ask) => {
      const keep = await drawSent(ask);
      if (!keep) throw refuse("file_missing");
      await ask.write(() => setAvatar(ask.core, ask.person.caller, { media: keep() }));
      return { to: HERE, notice: "saved" };
    }),
  ),
  posted(personal, `${HERE}/avatar/remove`, settingsView, async (ask) => {
    await ask.write(() => removeAvatar(ask.core, ask.person.caller));
    return { to: HERE, notice: "saved" };
  }),
  personal("GET", "/settings/xp", (ask) => xpView(ask)),
];

function settingsView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.ownProfile;
  const { core, person } = ask;
  const profile = getOwnProfile(core, person.caller);
  const about = formOf(ask, NameAndBio, { words, error, stored: profile });
  const projects = listProjects(core, person.caller, { limit: PROJECTS_MAX }).nodes;
  return {
    title: words.title,
    section: "profile",
    error,
    body: (
      <>
        <Heading title={words.title}>
          <p>{weave(words.lead, { address: `/@${profile.username}` })}</p>
        </Heading>
        <about.Form action={HERE}>
          <about.Field name="name" autocomplete="name" />
          <about.TextArea name="bio" />
          <Submit>{words.save}</Submit>
        </about.Form>
        <Look ask={ask} username={profile.username} error={error} />
        <section class="part" id="projects">
          <h2>{words.projects.title}</h2>
          <p class="hint">{words.projects.lead}</p>
          {projects.length === 0 ? "" : <Projects projects={projects} ask={ask} />}
          <div class="actions">
            <a class="button quiet" href={`${HERE}/projects/new`}>
              {words.projects.add}
            </a>
          </div>
        </section>
      </>
    ),
  };
}

/** Their picture, or the crest of their name, and what shows the other one. */
function Look({ ask, username, error }: { ask: PersonAsk; username: string; error: CoreError | undefined }) {
  const words = ask.words.ownProfile.face;
  const { builderId } = ask.person.caller;
  const picture = facesOf(ask.core, [builderId]).get(builderId);
  return (
    <section class="part stack" id="avatar">
      <h2>{words.title}</h2>
      <div class="look">
        <Face username={username} picture={picture} isLarge />
        <p class="hint">{picture === undefined ? words.crest : words.picture}</p>
      </div>
      <Form action={`${HERE}/avatar`} ask={ask} kind="stack" hasFile>
        <FileField
          name="file"
          label={words.file}
          hint={words.fileHint}
          accept={PICTURES}
          ask={ask}
          error={error}
        />
        <Submit>{words.save}</Submit>
      </Form>
      {picture !== undefined && (
        <Form action={`${HERE}/avatar/remove`} ask={ask} kind="inline">
          <Button kind="quiet">{words.remove}</Button>
        </Form>
      )}
    </section>
  );
}

function Projects({ projects, ask }: { projects: readonly Project[]; ask: PersonAsk }) {
  const words = ask.words.ownProfile.projects;
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
            <a class="button quiet small" href={`${HERE}/projects/${id}`} aria-label={words.changeOf(title)}>
              {words.change}
            </a>
            <Form
              action={`${HERE}/projects/${id}/delete`}
              ask={ask}
              kind="inline"
              label={words.removeOf(title)}
            >
              <button class="button danger small">{words.remove}</button>
            </Form>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The ledger in words: each line says why, and leads to what it was for. */
function xpView(ask: PersonAsk): View {
  const words = ask.words.ownProfile.xp;
  const { core, person } = ask;
  const profile = getOwnProfile(core, person.caller);
  const page = listXp(core, person.caller, pageRequest(ask));
  const things = thingsOf(ask, page.nodes);
  return {
    title: words.title,
    section: "profile",
    body: (
      <>
        <Heading title={words.title}>
          <p>{weave(words.lead(profile.xp), { address: `/@${profile.username}` })}</p>
        </Heading>
        <Level ask={ask} profile={profile} />
        {page.nodes.length === 0 ? (
          <Empty title={words.empty}>
            <p>{words.emptyLead}</p>
          </Empty>
        ) : (
          <ul class="rows ledger">
            {page.nodes.map((entry) => (
              <Entry entry={entry} thing={things.get(entry.subjectId)} ask={ask} />
            ))}
          </ul>
        )}
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}

function Entry({ entry, thing, ask }: { entry: XpEntry; thing: Thing | undefined; ask: PageAsk }) {
  const { points, createdAt } = entry;
  const sign = points > 0 ? "+" : points < 0 ? "−" : "";
  return (
    <li>
      <div class="row-main">
        <p class="row-title plainly" dir="auto" safe>
          {sentenceOfXp(ask.words, entry)}
        </p>
        <p class="row-meta">
          {thing === undefined ? (
            ""
          ) : (
            <>
              <a href={thing.href} dir="auto" safe>
                {thing.title}
              </a>{" "}
              ·{" "}
            </>
          )}
          <Ago ask={ask} at={createdAt} />
        </p>
      </div>
      <p
        class={points < 0 ? "points less" : "points"}
      >{`${sign}${ask.words.forms.number(Math.abs(points))}`}</p>
    </li>
  );
}

/** What an entry was for, while it is still there. */
interface Thing {
  title: string;
  href: string;
}

/** One look for each kind. A day is no thing. */
function thingsOf({ core, person }: PersonAsk, entries: readonly XpEntry[]): ReadonlyMap<string, Thing> {
  const ids = (kind: IdKind): string[] => [
    ...new Set(entries.map(({ subjectId }) => subjectId).filter((id) => isId(kind, id))),
  ];
  const posts = getPosts(core, person.caller, ids("post"));
  const prompts = getPrompts(core, person.caller, ids("prompt"));
  const jobs = getJobs(core, person.caller, ids("job"));
  return new Map<string, Thing>([
    ...posts.map(({ id, text }) => [id, { title: titleOf(text), href: `/posts/${id}` }] as const),
    ...prompts.map(({ id, title }) => [id, { title, href: `/prompts/${id}` }] as const),
    ...jobs.map(({ id, title }) => [id, { title, href: `/jobs/${id}` }] as const),
  ]);
}
