/** @jsxImportSource @kitajs/html */
import { HOUR } from "../../../core/base/clock.ts";
import { valuesOfVersion, type VersionValues } from "../../../core/base/values-of-version.ts";
import type { JobListing } from "../../../core/community/jobs/job.ts";
import { searchJobs } from "../../../core/community/jobs/jobs.ts";
import { isNamedLikeStaff } from "../../../core/identity/builders/look-alikes.ts";
import {
  type ActiveMember,
  activeMembers,
  blockedBy,
  tagsInUse,
} from "../../../core/services/front-page/front-page.ts";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { NotStaff } from "../../parts/role-mark.tsx";
import { readerOf } from "../../request/paging.ts";
import type { PageContext } from "../../request/route.ts";
import { Tags } from "./post-card.tsx";

const TAGS = 10;
const JOBS = 3;
const MEMBERS = 6;

/** The contents of the sections, for all readers. */
interface Activity {
  tags: string[];
  jobs: JobListing[];
  members: (ActiveMember & { picture: string | undefined; isNamedLikeStaff: boolean })[];
}

const keptActivity = (): VersionValues<Activity> => ({ version: undefined, values: new Map() });
const keptRails = (): VersionValues<string> => ({ version: undefined, values: new Map() });

/**
 * The tags in use, open jobs, and active members. The HTML is kept until the database changes. It is the same
 * for all readers of a language who have blocked the same members.
 */
export function CommunityRail({ ctx }: { ctx: PageContext }): JSX.Element {
  const { core } = ctx;
  const reader = readerOf(ctx);
  // Jobs expire and members leave without a change of the database.
  const hour = Math.floor(core.clock.now() / HOUR);
  const activities = valuesOfVersion(core, keptActivity);
  const activity = activities.get(`${hour}`) ?? activityOf(ctx);
  activities.set(`${hour}`, activity);
  const blocked = blockedBy(
    core,
    reader,
    activity.members.map(({ id }) => id),
  );
  const rails = valuesOfVersion(core, keptRails);
  const key = [hour, ctx.messages.language, ...blocked].join(" ");
  const members = activity.members.filter(({ id }) => !blocked.has(id)).slice(0, MEMBERS);
  const html = rails.get(key) ?? ((<Rail {...activity} members={members} ctx={ctx} />) as string);
  rails.set(key, html);
  return html;
}

function activityOf(ctx: PageContext): Activity {
  const { core } = ctx;
  const reader = readerOf(ctx);
  // More members than are shown, because readers may have blocked some.
  const members = activeMembers(core, reader, 2 * MEMBERS);
  const avatars = avatarUrls(
    core,
    members.map(({ id }) => id),
  );
  return {
    tags: tagsInUse(core, reader, TAGS),
    jobs: searchJobs(core, reader, {}, { limit: JOBS }).nodes,
    members: members.map((member) => ({
      ...member,
      picture: avatars.get(member.id),
      isNamedLikeStaff: isNamedLikeStaff(ctx.staff(), member),
    })),
  };
}

function Rail({ tags, jobs, members, ctx }: Activity & { ctx: PageContext }) {
  const messages = ctx.messages.feed.rail;
  return (
    <>
      {members.length > 0 ? (
        <section class="rail">
          <h2>{messages.members}</h2>
          <ul class="faces">
            {members.map(({ username, name, picture, isNamedLikeStaff }) => (
              <li>
                <a href={`/@${username}`}>
                  <Avatar username={username} picture={picture} />
                  <bdi safe>{name}</bdi>
                </a>
                {isNamedLikeStaff ? <NotStaff messages={ctx.messages} /> : ""}
              </li>
            ))}
          </ul>
        </section>
      ) : (
        ""
      )}
      {jobs.length > 0 ? (
        <section class="rail">
          <h2>{messages.jobs}</h2>
          <ul class="rail-jobs">
            {jobs.map(({ id, title, company }) => (
              <li>
                <a dir="auto" href={`/jobs/${id}`} safe>
                  {title}
                </a>
                <bdi class="quietly" safe>
                  {company.name}
                </bdi>
              </li>
            ))}
          </ul>
          <p>
            <a href="/jobs">{ctx.messages.jobs.all}</a>
          </p>
        </section>
      ) : (
        ""
      )}
      {tags.length > 0 ? (
        <section class="rail">
          <h2>{messages.tags}</h2>
          <Tags tags={tags} />
        </section>
      ) : (
        ""
      )}
    </>
  );
}
