/** @jsxImportSource @kitajs/html */
import { type OwnData, readOwnData } from "../../../core/services/transfer/own-data.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { isoTime } from "../../../core/base/clock.ts";
import { NO_STORE } from "../../../http/answer.ts";
import { zipBody, type ZipFile } from "../../../http/zip.ts";
import { Form, Submit } from "../../parts/parts.tsx";
import type { PersonContext } from "../../request/route.ts";

/**
 * Maximum number of characters in an archive. Each character takes at most 4 bytes, and a ZIP file without
 * ZIP64 holds at most 4 GiB.
 */
const CHARACTERS_MAX = 2 ** 30;

/** The section of the account page on which members download their data. */
export function OwnDataPart({
  ctx,
  action,
  error,
}: {
  ctx: PersonContext;
  action: string;
  error: CoreError | undefined;
}) {
  const messages = ctx.messages.account.data;
  return (
    <section class="part" id="your-data">
      <h2>{messages.title}</h2>
      <p class="hint">{messages.lead}</p>
      <Form action={action} ctx={ctx} kind="stack narrow" error={error}>
        <div class="actions">
          <Submit kind="quiet">{messages.download}</Submit>
        </div>
      </Form>
    </section>
  );
}

/** Returns the archive. Throws what `readOwnData` throws. */
export async function ownDataAnswer(ctx: PersonContext): Promise<Response> {
  const { core, person, context } = ctx;
  const own = await ctx.write(() => readOwnData(core, person.caller));
  const name = `guildhall-${own.username}-${isoTime(own.at).slice(0, 10)}`;
  const extraFile = { name: `${name}/INCOMPLETE.txt`, text: [ctx.messages.archive.incomplete] };
  return new Response(zipBody(filesOf(ctx, own, name), { at: own.at, most: CHARACTERS_MAX, extraFile }), {
    headers: {
      ...context.headers,
      "cache-control": NO_STORE,
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${name}.zip"`,
    },
  });
}

function* filesOf(
  { core, messages }: PersonContext,
  { username, at, parts }: OwnData,
  folder: string,
): Generator<ZipFile> {
  const readme = messages.archive.readme({ username, origin: core.origin, at: isoTime(at) });
  yield { name: `${folder}/README.txt`, text: [readme] };
  for (const { name, schema, lines } of parts) {
    yield { name: `${folder}/schemas/${name}.schema.json`, text: [`${JSON.stringify(schema, null, 2)}\n`] };
    yield { name: `${folder}/${name}.ndjson`, text: inLines(lines) };
  }
}

function* inLines(lines: Iterable<object>): Generator<string> {
  for (const line of lines) yield `${JSON.stringify(line)}\n`;
}
