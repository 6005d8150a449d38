import { Command, CommanderError } from "commander";
import { ConfigError } from "../config/file.ts";
import { CoreError } from "../core/base/errors.ts";
import { useDriver } from "../app/driver/driver.ts";
import { OperatorError } from "../core/base/operator-error.ts";
import { BUN_VERSION, VERSION } from "../app/version.ts";
import { COMMANDS } from "./commands.ts";
import { type Environment, UsageError } from "./options.ts";

/**
 * 0: success. 1: the command was refused and changed nothing. 2: wrong usage, an invalid value, or an invalid
 * setting.
 */
export type ExitCode = 0 | 1 | 2;

const EXAMPLES = `
Examples:
  guildhall serve --demo                                 try a demo community
  guildhall serve --data /srv/guild --port 8080          serve your community
  guildhall builder create ada --name "Ada Okafor" --data /srv/guild
  guildhall token create ada --scope feed:read --scope feed:write --data /srv/guild
  guildhall workspace create Tools --owner ada --data /srv/guild
  guildhall backup /backups --data /srv/guild            the server may run

Tab completion: guildhall completion bash|zsh|fish --help
Settings come from GUILDHALL_… variables and a settings file. \`guildhall settings\` lists them all.
Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 refused or failed, 2 wrong usage,
value, or setting.`;

/** Path of the settings file that packages and `guildhall setup` use. */
const SETTINGS_FILE = "/etc/guildhall/settings.toml";

/** Runs one command line and returns its exit code. Only results are written to stdout. */
export async function run(
  argv: readonly string[],
  { settings = SETTINGS_FILE, ...environment }: Omit<Environment, "settings"> & { settings?: string },
): Promise<ExitCode> {
  if (Bun.version !== BUN_VERSION) {
    return fail(
      2,
      `Guildhall needs Bun ${BUN_VERSION}, and this is ${Bun.version}. Run it with npx -y bun@${BUN_VERSION}.`,
    );
  }
  useDriver();
  try {
    const program = await programOf({ ...environment, settings }, argv[2]);
    await program.parseAsync([...argv]);
    return 0;
  } catch (error) {
    return exitCodeOf(error);
  }
}

/**
 * Returns the parser of the command line. If `command` is the name of a command, loads only this command.
 * Otherwise loads all, for the help and for a mistyped name.
 */
export async function programOf(environment: Environment, command?: string): Promise<Command> {
  const program = new Command("guildhall")
    .description("Community server: feed, jobs, prompts, profiles, messages, and webhooks in one program")
    .version(VERSION, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Show help")
    .helpCommand("help [command]", "Show help for a command")
    .addHelpText("after", EXAMPLES)
    .showSuggestionAfterError()
    .configureHelp({ sortSubcommands: false })
    .exitOverride();
  const named = COMMANDS.filter(({ names }) => command !== undefined && names.includes(command));
  const loaded = (named.length > 0 ? named : COMMANDS).map(({ load }) => load());
  for (const add of await Promise.all(loaded)) add(program, environment);
  return program;
}

function exitCodeOf(error: unknown): ExitCode {
  // Commander has already printed its message. Help is a success if the user asked for it.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ConfigError || error instanceof UsageError) return fail(2, error.message);
  if (error instanceof CoreError)
    return fail(codeOf(error), [error.message, ...detailLines(error)].join("\n  "));
  if (error instanceof OperatorError) return fail(1, error.message);
  if (error instanceof Error && "code" in error) return fail(1, systemMessage(error));
  throw error;
}

/**
 * Returns the exit code of an error. All input comes from the command line, so malformed or meaningless input
 * is wrong usage.
 */
function codeOf({ error }: CoreError): ExitCode {
  return error === "bad_request" || error === "unprocessable" ? 2 : 1;
}

/** Returns all details except the first, because the message already contains the first. */
function detailLines(error: CoreError): string[] {
  return (error.details ?? []).slice(1).map(({ path, message }) => `${path} ${message}`);
}

const RESTORE = "Restore a backup: `guildhall restore BACKUP --replace`";

function systemMessage(error: Error & { code?: unknown }): string {
  if (["EADDRNOTAVAIL", "EINVAL", "ENOENT"].includes(String(error.code)))
    return "This machine does not have that address. Choose another with --host.";
  if (error.code === "SQLITE_BUSY") return "Another program is using the database. Try again in a moment.";
  if (String(error.code).startsWith("SQLITE_READONLY"))
    return "This user cannot write to the data folder. Give the user write access, or choose another folder with --data.";
  if (error.code === "EADDRINUSE")
    return "The port is in use, perhaps by another Guildhall. Choose another port with --port; 0 picks any free port.";
  if (error.code === "EACCES")
    return "This user cannot use that port. Choose one above 1023 with --port, or start the server with its systemd unit.";
  if (String(error.code).startsWith("SQLITE_CANTOPEN"))
    return "This user cannot open a file in the data folder. Give the user access to all files in it.";
  if (/^SQLITE_(?:FULL|IOERR)/.test(String(error.code)))
    return "The disk is full or failing. Free up some space. If that does not help, check the disk.";
  if (error.code === "SQLITE_NOTADB") return `guildhall.db is not a database, or is damaged. ${RESTORE}.`;
  if (String(error.code).startsWith("SQLITE_CORRUPT")) return `guildhall.db is damaged. ${RESTORE}.`;
  return error.message;
}

function fail(code: ExitCode, message: string): ExitCode {
  process.stderr.write(`guildhall: ${message}\n`);
  return code;
}
