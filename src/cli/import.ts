import type { Command } from "commander";
import type { Core } from "../core/base/core.ts";
import { listBuilders } from "../core/identity/builders/member-list.ts";
import { undoUnlessLocked, prepareUndo } from "../app/new-data-folder.ts";
import { hasDatabase } from "../app/data-folder.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { foremApi } from "../transfer/forem-api.ts";
import { isHost, openForemFile } from "../transfer/forem-file.ts";
import { importForem, type ForemSource, newReport, type Report } from "../transfer/forem.ts";
import { type AccountNames, readAccountNames } from "../transfer/forem-people.ts";
import { personOf } from "../transfer/forem-shape.ts";
import { createLimitedGet } from "../transfer/limited-get.ts";
import { TransferRefused } from "../transfer/transfer-refused.ts";
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
  guildhall import moving --data /srv/guild --dry-run          report all problems, or what would be imported
  guildhall import moving --data /srv/guild                    create a community from an export
  guildhall import --forem https://forem.example --dry-run     show what would be imported
  guildhall import --forem https://forem.example               import it
  guildhall import --forem export.zip --from dev.to            import one member's export, as dev.to sends it
  guildhall builder claims --links                             then: print a link for each imported account

A folder from \`guildhall export\` is imported into a data folder that has no community. Ids and times stay the same.
Run an interrupted import again to continue it. A failed import leaves nothing. Passwords and other credentials are
not in the export: \`guildhall builder claims --links\` prints a link per person to set a password.

In an import from a Forem, articles become posts and comments become replies. Their times stay the same. Nobody is
notified or gets XP. Run the import again to fetch new content, or to continue an interrupted import.

If a member here already has a Forem username, nothing is written until the file for --people names that author. In
this file, the line \`klaus,klaus\` assigns the content to the member @klaus. The line \`klaus,klaus-k\` creates the
account @klaus-k for it.`;

export function addImportCommand(program: Command, environment: Environment): void {
  dataOption(program.command("import [dir]"))
    .description("Create a community from an export, or import from a Forem")
    .option("--forem <file|url>", "The Forem: an https:// URL, or an export file (ZIP or JSON)")
    .option("--from <host>", "Host of the Forem, if the file does not name it", hostNamed)
    .option(
      "--author <username>",
      "Forem username of the author, for texts whose author is not in the file",
      authorNamed,
    )
    .option(
      "--people <file>",
      "File that maps usernames: one forem-username,guildhall-username per line, or JSON",
    )
    .option("--rate <n>", "Requests per second to the Forem", wholeNumber("--rate", 1, 20), 2)
    .option("--dry-run", "Report what would be imported; write nothing")
    .addHelpText("after", HELP)
    .action((dir: string | undefined, flags: ImportFlags) => {
      if (dir !== undefined && flags.forem !== undefined)
        throw new UsageError("Give either a folder or --forem, not both.");
      if (dir !== undefined && flags.people !== undefined)
        throw new UsageError("--people works only with --forem. An export contains its own people.");
      return dir === undefined ? runForemImport(environment, flags) : importExport(environment, dir, flags);
    });
}

async function runForemImport(environment: Environment, flags: ImportFlags): Promise<void> {
  const { forem, from, author, people: table, dryRun: isDry = false } = flags;
  if (forem === undefined)
    throw new UsageError("Name what to import: the folder of an export, or --forem with a file or URL.");
  const people = table === undefined ? undefined : tableIn(table);
  const config = configOf(environment, flags);
  const isAddress = /^[a-z][a-z+.-]*:\/\//i.test(forem);
  const url = isAddress ? addressOf(forem) : undefined;
  // Opens the file before the data folder is created. An unreadable file must not create a community.
  const file = url ? undefined : openForemFile(forem, { from, author });
  const bar = progressBar();
  const report = newReport();
  const undo = hasDatabase(config) ? undefined : prepareUndo(config);
  let isEmpty = false;
  try {
    await withCore(environment, { ...flags, mayCreate: !isDry }, async (core) => {
      try {
        await importForem(core, OPERATOR, file ?? forumSource(core, url as URL), {
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
    // The import failed before it imported anything, so the new community is removed.
    if (undo && isEmpty) undoUnlessLocked(config, undo);
    throw error;
  } finally {
    bar.done();
    // Also prints the report of an interrupted import, because the imported part is kept.
    if (report.isBegun) process.stdout.write(summaryOf(report, isDry));
  }

  function forumSource(core: Core, { host, origin }: URL): ForemSource {
    const manners = {
      targets: core.targets,
      ca: config.webhookCa,
      userAgent: `Guildhall-Import/${VERSION}`,
      perSecond: flags.rate,
      onDelay: (message: string) => void process.stderr.write(`${message}\n`),
    };
    return foremApi(host, createLimitedGet(origin, manners));
  }
}

function hostNamed(text: string): string {
  if (isHost(text)) return text;
  throw new UsageError("--from must be the host of the Forem, such as dev.to.");
}

function authorNamed(text: string): string {
  if (personOf({ username: text })) return text;
  throw new UsageError("--author must be a Forem username.");
}

function tableIn(file: string): AccountNames {
  try {
    return readAccountNames(file);
  } catch (error) {
    throw error instanceof TransferRefused ? new UsageError(error.message) : error;
  }
}

function addressOf(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === "https:") return url;
  throw new UsageError("--forem must be a file, or a URL that begins with https://.");
}

/** Maximum number of lines to print per list. */
const LINES_MAX = 100;

function summaryOf(report: Report, isDry: boolean): string {
  const { people, posts, replies, shortened, matched, renamed, skipped, skippedCount } = report;
  const made = isDry ? "to import" : "imported";
  const count = (what: string, { created: came, alreadyThere }: Report["people"]) =>
    `${what.padEnd(8)}${came} ${made}, ${alreadyThere} already there`;
  return [
    count("people", people),
    count("posts", posts),
    count("replies", replies),
    ...(shortened > 0
      ? [`${shortened} are longer than 2,000 characters: shortened, with a link to the rest`]
      : []),
    ...listed(
      isDry ? "would go to an existing member:" : "went to an existing member:",
      matched.length,
      matched.map(({ from, to }) => `${from} is @${to}`),
    ),
    ...listed("renamed, because the username is taken or not allowed here:", renamed.length, [
      ...renamed.map(({ from, to }) => `@${from} is @${to}`),
    ]),
    ...listed(
      "left out:",
      skippedCount,
      skipped.map(({ location, reason }) => `${location} ${reason}`),
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
