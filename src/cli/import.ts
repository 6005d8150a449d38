import type { Command } from "commander";
import type { Core } from "../core/base/core.ts";
import { listBuilders } from "../core/identity/builders/member-list.ts";
import { undoUnlessLocked, prepareUndo } from "../app/new-data-folder.ts";
import { hasDatabase } from "../app/data-folder.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { foremApi } from "../transfer/forem-api.ts";
import { isHost, openForemFile } from "../transfer/forem-file.ts";
import { importForem, type ForemSource, newReport, type Report } from "../transfer/forem.ts";
import { type People, readPeople } from "../transfer/forem-people.ts";
import { personOf } from "../transfer/forem-shape.ts";
import { politeGet } from "../transfer/polite-fetch.ts";
import { PortableRefused } from "../transfer/transfer-refused.ts";
import { VERSION } from "../app/version.ts";
import { importExport } from "./import-export.ts";
import { type DataFlags, dataOption, type Environment, UsageError, wholeNumber } from "./options.ts";
import { progressBar } from "./progress.ts";
import { configOf, withCore } from "./with-core.ts";

interface ImportFlags extends DataFlags {
  forem?: string;
  from?: string;
  author?: string;
  people?: string;
  rate: number;
  dryRun?: boolean;
}

const HELP = `
Examples:
  guildhall import moving --data /srv/guild --dry-run          all that is wrong, or what would come
  guildhall import moving --data /srv/guild                    found a community from an export
  guildhall import --forem https://forem.example --dry-run     look what would come
  guildhall import --forem https://forem.example               bring it
  guildhall import --forem export.zip --from dev.to            one member's export, as dev.to mails it
  guildhall builder claims --links                             then: a link for each to claim their account

A folder that \`guildhall export\` has written comes with its rows, ids and times, into a data folder
without a community. Cut half way, it goes on where it was; refused, it leaves nothing; where all of
it is there already, it says so. Passwords and other credentials stayed behind: \`guildhall builder
claims --links\` prints a link for each by which they set a password.

Of a Forem, articles become posts, comments replies, at their own times. Nobody is told of any, and
nobody gets XP by it. A second run brings what is new; one that was cut goes on.

Where somebody of the Forem has a member's username, nothing is written until --people says who they are.
In its lines, \`klaus,klaus\` gives the texts to the member @klaus, \`klaus,klaus-k\` to a new account.`;

export function addImportCommand(program: Command, environment: Environment): void {
  dataOption(program.command("import [dir]"))
    .description("found a community from an export, or bring in what a Forem has")
    .option("--forem <file|url>", "a Forem: its https address, or a file of it (ZIP or JSON)")
    .option("--from <host>", "the community's host, for a file that does not say it", hostNamed)
    .option("--author <username>", "who wrote what a file says of nobody", authorNamed)
    .option("--people <file>", "who is who: forem-username,guildhall-username in each line, or JSON")
    .option("--rate <n>", "requests a second to somebody's server", wholeNumber("--rate", 1, 20), 2)
    .option("--dry-run", "write nothing; tell what would come")
    .addHelpText("after", HELP)
    .action((dir: string | undefined, flags: ImportFlags) => {
      if (dir !== undefined && flags.forem !== undefined)
        throw new UsageError("name a folder or --forem, not both");
      if (dir !== undefined && flags.people !== undefined)
        throw new UsageError("--people is for --forem: an export brings its own people");
      return dir === undefined ? runForemImport(environment, flags) : importExport(environment, dir, flags);
    });
}

async function runForemImport(environment: Environment, flags: ImportFlags): Promise<void> {
  const { forem, from, author, people: table, dryRun: isDry = false } = flags;
  if (forem === undefined)
    throw new UsageError(
      "say what to bring in: the folder of an export, or --forem with a file or an address",
    );
  const people = table === undefined ? undefined : tableIn(table);
  const config = configOf(environment, flags);
  const isAddress = /^[a-z][a-z+.-]*:\/\//i.test(forem);
  const url = isAddress ? addressOf(forem) : undefined;
  // Before there is a folder: what cannot be read founds no community.
  const file = url ? undefined : openForemFile(forem, { from, author });
  const bar = progressBar();
  const report = newReport();
  const takeBack = hasDatabase(config) ? undefined : prepareUndo(config);
  let isEmpty = false;
  try {
    await withCore(environment, { ...flags, mayCreate: !isDry }, async (core) => {
      try {
        await importForem(core, OPERATOR, file ?? walk(core, url as URL), {
          isDry,
          ...(people ? { people } : {}),
          report,
          progress: (done, total) => bar.show(done, total ?? done, "articles"),
        });
      } catch (error) {
        isEmpty = listBuilders(core, OPERATOR, {}, { limit: 1 }).nodes.length === 0;
        throw error;
      }
    });
  } catch (error) {
    // Refused before anything came: nobody has founded a community.
    if (takeBack && isEmpty) undoUnlessLocked(config, takeBack);
    throw error;
  } finally {
    bar.done();
    // Also of one that was cut: what came stays.
    if (report.isBegun) process.stdout.write(inWords(report, isDry));
  }

  function walk(core: Core, { host, origin }: URL): ForemSource {
    const manners = {
      targets: core.targets,
      ca: config.webhookCa,
      userAgent: `Guildhall-Import/${VERSION}`,
      perSecond: flags.rate,
      onDelay: (words: string) => void process.stderr.write(`${words}\n`),
    };
    return foremApi(host, politeGet(origin, manners));
  }
}

function hostNamed(text: string): string {
  if (isHost(text)) return text;
  throw new UsageError("--from is the host of the community, such as dev.to");
}

function authorNamed(text: string): string {
  if (personOf({ username: text })) return text;
  throw new UsageError("--author is a username of the Forem");
}

function tableIn(file: string): People {
  try {
    return readPeople(file);
  } catch (error) {
    throw error instanceof PortableRefused ? new UsageError(error.message) : error;
  }
}

function addressOf(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === "https:") return url;
  throw new UsageError("--forem takes a file, or an address that begins with https://");
}

/** So many lines of each list are told. */
const LINES_MAX = 100;

function inWords(report: Report, isDry: boolean): string {
  const { people, posts, replies, shortened, matched, renamed, left, leftOut } = report;
  const made = isDry ? "would come" : "came";
  const count = (what: string, { made: came, there }: Report["people"]) =>
    `${what.padEnd(8)}${came} ${made}, ${there} were there already`;
  return [
    count("people", people),
    count("posts", posts),
    count("replies", replies),
    ...(shortened > 0
      ? [`${shortened} are longer than 2,000 characters: a beginning and a link to the rest`]
      : []),
    ...listed(
      isDry ? "would go to a member:" : "went to a member:",
      matched.length,
      matched.map(({ from, to }) => `${from} is @${to}`),
    ),
    ...listed("called otherwise here, as their name is taken or cannot be one:", renamed.length, [
      ...renamed.map(({ from, to }) => `@${from} is @${to}`),
    ]),
    ...listed(
      "left out:",
      leftOut,
      left.map(({ place, why }) => `${place} ${why}`),
    ),
    "",
  ].join("\n");
}

function listed(title: string, count: number, lines: readonly string[]): string[] {
  if (count === 0) return [];
  const shown = lines
    .slice(0, LINES_MAX)
    .map((line) => `  ${line.replaceAll(/\p{Cc}/gu, " ").slice(0, 300)}`);
  return [title, ...shown, ...(count > shown.length ? [`  and ${count - shown.length} more`] : [])];
}
