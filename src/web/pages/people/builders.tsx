/** @jsxImportSource @kitajs/html */
import { BuilderQuery, listProfiles } from "../../../core/community/profiles/directory.ts";
import type { Profile } from "../../../core/community/profiles/profiles.ts";
import { Heading } from "../../parts/layout.tsx";
import { Button, Empty, Field, More } from "../../parts/parts.tsx";
import { filterOf, nextAddress, pageRequest } from "../../request/reading.ts";
import { type PersonAsk, personal, type View } from "../../request/route.ts";

const HERE = "/builders";

/** Who lives here, for those who do: visitors are shown no list of people. */
export const builderPages = [personal("GET", HERE, (ask) => directoryView(ask))];

function directoryView(ask: PersonAsk): View {
  const q = filterOf(ask, "q");
  const page = listProfiles(ask.core, ask.person.caller, { q }, pageRequest(ask));
  return {
    title: "Builders",
    body: (
      <>
        <Heading title="Builders">
          <p>Who is here, the newest first.</p>
        </Heading>
        <form class="find" action={HERE} role="search" aria-label="Builders">
          <Field
            name="q"
            label="A name, or a tag they post under"
            type="search"
            value={q ?? ""}
            maxlength={BuilderQuery.properties.q.maxLength}
            placeholder="rust"
          />
          <Button kind="quiet">Find</Button>
        </form>
        {page.nodes.length === 0 ? (
          <Empty title="Nobody fits that">
            <p>
              Every word has to begin one of a name, or a tag. <a href={HERE}>Everybody</a>
            </p>
          </Empty>
        ) : (
          <ul class="rows">
            {page.nodes.map((profile) => (
              <BuilderRow profile={profile} />
            ))}
          </ul>
        )}
        <More ask={ask} href={nextAddress(ask, page)} words="More" />
      </>
    ),
  };
}

function BuilderRow({ profile }: { profile: Profile }) {
  const { username, name, xp, streakDays, projects } = profile;
  const figures = [
    `${xp.toLocaleString("en")} XP`,
    ...(streakDays > 1 ? [`${streakDays.toLocaleString("en")} days in a row`] : []),
    ...(projects.length > 0 ? [projects.length === 1 ? "1 project" : `${projects.length} projects`] : []),
  ];
  return (
    <li>
      <div class="row-main">
        <h2 class="row-title" dir="auto">
          <a href={`/@${username}`}>
            <bdi safe>{name}</bdi>
          </a>
        </h2>
        <p class="row-meta">
          <span safe>{`@${username}`}</span>
          {` · ${figures.join(" · ")}`}
        </p>
      </div>
    </li>
  );
}
