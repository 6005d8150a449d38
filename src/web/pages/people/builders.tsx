/** @jsxImportSource @kitajs/html */
import { BuilderQuery, listProfiles } from "../../../core/community/profiles/directory.ts";
import type { Profile } from "../../../core/community/profiles/profiles.ts";
import { Heading } from "../../parts/layout.tsx";
import { Button, Empty, Field, More } from "../../parts/parts.tsx";
import { filterOf, nextAddress, pageRequest } from "../../request/reading.ts";
import { weave } from "../../parts/weave.ts";
import { type PersonAsk, personal, type View } from "../../request/route.ts";

const HERE = "/builders";

/** Who lives here, for those who do: visitors are shown no list of people. */
export const builderPages = [personal("GET", HERE, (ask) => directoryView(ask))];

function directoryView(ask: PersonAsk): View {
  const words = ask.words.people.directory;
  const q = filterOf(ask, "q");
  const page = listProfiles(ask.core, ask.person.caller, { q }, pageRequest(ask));
  return {
    title: words.title,
    body: (
      <>
        <Heading title={words.title}>
          <p>{words.lead}</p>
        </Heading>
        <form class="find" action={HERE} role="search" aria-label={words.title}>
          <Field
            name="q"
            label={words.search}
            type="search"
            value={q ?? ""}
            maxlength={BuilderQuery.properties.q.maxLength}
            placeholder={words.searchExample}
          />
          <Button kind="quiet">{words.find}</Button>
        </form>
        {page.nodes.length === 0 ? (
          <Empty title={words.nobody}>
            <p>{weave(words.nobodyLead)}</p>
          </Empty>
        ) : (
          <ul class="rows">
            {page.nodes.map((profile) => (
              <BuilderRow ask={ask} profile={profile} />
            ))}
          </ul>
        )}
        <More ask={ask} href={nextAddress(ask, page)} words={words.more} />
      </>
    ),
  };
}

function BuilderRow({ ask, profile }: { ask: PersonAsk; profile: Profile }) {
  const { username, name, xp, streakDays, projects } = profile;
  const words = ask.words.people.directory;
  const figures = [
    words.xp(xp),
    ...(streakDays > 1 ? [words.streak(streakDays)] : []),
    ...(projects.length > 0 ? [words.projects(projects.length)] : []),
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
