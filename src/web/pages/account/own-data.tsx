/** @jsxImportSource @kitajs/html */
import { type OwnData, takeOwnData } from "../../../core/across/portable/own.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { isoTime } from "../../../core/ground/clock.ts";
import { NOT_KEPT } from "../../../http/answer.ts";
import { zipBody, type ZipFile } from "../../../http/zip.ts";
import { Fault, Form, Submit } from "../../parts/parts.tsx";
import type { PersonAsk } from "../../request/route.ts";

/** So many characters stand in an archive at most: a ZIP of 32 bits has room for 4 GiB. */
const MOST = 2 ** 30;

/** The part of the account's page by which a member takes all that is theirs. */
export function OwnDataPart({
  ask,
  action,
  error,
}: {
  ask: PersonAsk;
  action: string;
  error: CoreError | undefined;
}) {
  return (
    <section class="part" id="your-data">
      <h2>Your data</h2>
      <p class="hint">
        All that is yours in one ZIP file: profile, posts, replies, likes, messages, jobs, prompts, projects,
        XP, apps, endpoints and what happened to the account. No password, token or secret is in it. Your
        messages are, so keep it where only you can read it.
      </p>
      <Form action={action} token={ask.formToken} kind="stack narrow">
        <Fault ask={ask} error={error} fields={[]} />
        <div class="actions">
          <Submit kind="quiet">Download my data</Submit>
        </div>
      </Form>
    </section>
  );
}

/** The file itself. Throws what `takeOwnData` throws. */
export async function ownDataAnswer(ask: PersonAsk): Promise<Response> {
  const { core, person, context } = ask;
  const own = await ask.write(() => takeOwnData(core, person.caller));
  const name = `guildhall-${own.username}-${isoTime(own.at).slice(0, 10)}`;
  const told = { name: `${name}/INCOMPLETE.txt`, text: [INCOMPLETE] };
  return new Response(zipBody(filesOf(own, name, core.origin), { at: own.at, most: MOST, told }), {
    headers: {
      ...context.headers,
      "cache-control": NOT_KEPT,
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${name}.zip"`,
    },
  });
}

function* filesOf({ username, at, parts }: OwnData, folder: string, origin: string): Generator<ZipFile> {
  yield { name: `${folder}/README.txt`, text: [readme(username, at, origin)] };
  for (const { name, schema, lines } of parts) {
    yield { name: `${folder}/schemas/${name}.schema.json`, text: [`${JSON.stringify(schema, null, 2)}\n`] };
    yield { name: `${folder}/${name}.ndjson`, text: inLines(lines) };
  }
}

function* inLines(lines: Iterable<object>): Generator<string> {
  for (const line of lines) yield `${JSON.stringify(line)}\n`;
}

function readme(username: string, at: number, origin: string): string {
  return `What is @${username}'s own at ${origin}, as of ${isoTime(at)}.

Each .ndjson file is a kind of thing, one to a line, as JSON; schemas/ says what its fields are (JSON Schema). Times are
UTC. Files without a line stand for what you have none of.

  builders           your profile                      posts              your posts and replies
  likes              what you like                     prompts            your prompts, with their versions beside
  jobs, job_filters  what you published, what you seek projects           your projects
  threads, messages  your conversations, both sides    blocks             whom you have blocked
  xp_entries         why you have your points          streaks            your days in a row
  workspaces, apps, grants, tokens, webhook_endpoints  what may act for you, without any secret
  audit_entries      what happened to your account     people             who is named in the rest, by id

Left out: passwords, passkeys, sessions, the secrets of tokens, apps and endpoints, and what is others' alone, such as
who likes your posts. What changed while this was written may stand in it or not.
`;
}

const INCOMPLETE = `This archive ends here: what is yours is more than fits into one. Ask whoever runs the community for
an export of your account (guildhall export --builder); it has no such end.
`;
