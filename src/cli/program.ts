import { Command, CommanderError } from "commander";
import { LeadRefused } from "../cluster/lead-refused.ts";
import { ConfigError } from "../config/config.ts";
import { DatabaseRefused } from "../core/base/db/migrate.ts";
import { CoreError } from "../core/base/errors.ts";
import { DriverRefused, useDriver } from "../app/driver/driver.ts";
import { DataRefused } from "../app/data-folder.ts";
import { BackupRefused } from "../operate/backup/refused.ts";
import { ListenRefused } from "../delivery/listen/listen.ts";
import { TransferRefused } from "../transfer/transfer-refused.ts";
import { TlsRefused } from "../operate/tls/certificate.ts";
import { BUN_VERSION, VERSION } from "../app/version.ts";
import { addApplicationCommands } from "./application.ts";
import { addAppCommands } from "./app.ts";
import { addAuditCommands } from "./audit.ts";
import { addBackupCommand } from "./backup.ts";
import { addBuilderCommands } from "./builder.ts";
import { addCommunityCommands } from "./community.ts";
import { addCompletionCommand } from "./completion.ts";
import { addDemoCommand } from "./demo.ts";
import { addDoctorCommand } from "./doctor.ts";
import { addEndpointCommands } from "./endpoint.ts";
import { addExportCommand } from "./export.ts";
import { addImportCommand } from "./import.ts";
import { addHealthCommand } from "./health.ts";
import { addInviteCommands } from "./invite.ts";
import { addJobCommands } from "./job.ts";
import { addLicencesCommand } from "./licences/licences.ts";
import { addKeyCommands } from "./key.ts";
import { addLeadCommands } from "./leadership.ts";
import { addListenCommand } from "./listen.ts";
import { addMaintenanceCommands } from "./maintenance.ts";
import { addMigrateCommand } from "./migrate.ts";
import { addOpenApiCommand } from "./openapi.ts";
import { addPostCommands } from "./post.ts";
import { addReportCommands } from "./report.ts";
import { addRestoreCommand } from "./restore.ts";
import { addSchemaCommand } from "./schema.ts";
import { type Environment, UsageError } from "./options.ts";
import { addServeCommand } from "./serve.ts";
import { addSetupCommand } from "./setup.ts";
import { addSettingsCommand } from "./settings.ts";
import { addTokenCommands } from "./token.ts";
import { addWorkspaceCommands } from "./workspace.ts";

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
  const program = programOf({ ...environment, settings });
  try {
    await program.parseAsync([...argv]);
    return 0;
  } catch (error) {
    return exitCodeOf(error);
  }
}

export function programOf(environment: Environment): Command {
  const program = new Command("guildhall")
    .description("Community server: feed, jobs, prompts, profiles, messages, and webhooks in one program")
    .version(VERSION, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Show help")
    .helpCommand("help [command]", "Show help for a command")
    .addHelpText("after", EXAMPLES)
    .showSuggestionAfterError()
    .configureHelp({ sortSubcommands: false })
    .exitOverride();
  addServeCommand(program, environment);
  addSetupCommand(program, environment);
  addHealthCommand(program, environment);
  addDoctorCommand(program, environment);
  addSettingsCommand(program, environment);
  addMigrateCommand(program, environment);
  addKeyCommands(program, environment);
  addDemoCommand(program, environment);
  addCommunityCommands(program, environment);
  addBuilderCommands(program, environment);
  addApplicationCommands(program, environment);
  addInviteCommands(program, environment);
  addReportCommands(program, environment);
  addPostCommands(program, environment);
  addAuditCommands(program, environment);
  addTokenCommands(program, environment);
  addAppCommands(program, environment);
  addEndpointCommands(program, environment);
  addWorkspaceCommands(program, environment);
  addJobCommands(program, environment);
  addExportCommand(program, environment);
  addImportCommand(program, environment);
  addListenCommand(program, environment);
  addBackupCommand(program, environment);
  addRestoreCommand(program, environment);
  addMaintenanceCommands(program, environment);
  addLeadCommands(program, environment);
  addLicencesCommand(program);
  addOpenApiCommand(program);
  addSchemaCommand(program);
  addCompletionCommand(program);
  return program;
}

function exitCodeOf(error: unknown): ExitCode {
  // Commander has already printed its message. Help is a success if the user asked for it.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ConfigError || error instanceof UsageError) return fail(2, error.message);
  if (error instanceof CoreError)
    return fail(codeOf(error), [error.message, ...detailLines(error)].join("\n  "));
  if (error instanceof ListenRefused || error instanceof TlsRefused || error instanceof BackupRefused)
    return fail(1, error.message);
  if (error instanceof DatabaseRefused || error instanceof DataRefused) return fail(1, error.message);
  if (error instanceof LeadRefused) return fail(1, error.message);
  if (error instanceof TransferRefused || error instanceof DriverRefused) return fail(1, error.message);
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
