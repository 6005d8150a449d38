import type { Command } from "commander";
import type { Environment } from "./options.ts";

/** A module with commands of the program, and the names of these commands. */
interface CommandModule {
  names: readonly string[];
  /** Imports the module. Returns its function that adds the commands to the program. */
  load(): Promise<(program: Command, environment: Environment) => void>;
}

/**
 * All commands, in the order of the help. A command imports what it needs, so that a server does not keep
 * the other commands in memory, and a short command starts fast.
 */
export const COMMANDS: readonly CommandModule[] = [
  { names: ["serve"], load: async () => (await import("./serve.ts")).addServeCommand },
  { names: ["setup"], load: async () => (await import("./setup.ts")).addSetupCommand },
  { names: ["health"], load: async () => (await import("./health.ts")).addHealthCommand },
  { names: ["doctor"], load: async () => (await import("./doctor.ts")).addDoctorCommand },
  { names: ["settings"], load: async () => (await import("./settings.ts")).addSettingsCommand },
  { names: ["migrate"], load: async () => (await import("./migrate.ts")).addMigrateCommand },
  { names: ["key"], load: async () => (await import("./key.ts")).addKeyCommands },
  { names: ["demo"], load: async () => (await import("./demo.ts")).addDemoCommand },
  { names: ["community"], load: async () => (await import("./community.ts")).addCommunityCommands },
  { names: ["builder"], load: async () => (await import("./builder.ts")).addBuilderCommands },
  { names: ["application"], load: async () => (await import("./application.ts")).addApplicationCommands },
  { names: ["invite"], load: async () => (await import("./invite.ts")).addInviteCommands },
  { names: ["case"], load: async () => (await import("./case.ts")).addCaseCommands },
  { names: ["appeal"], load: async () => (await import("./appeal.ts")).addAppealCommands },
  { names: ["post"], load: async () => (await import("./post.ts")).addPostCommands },
  { names: ["audit"], load: async () => (await import("./audit.ts")).addAuditCommands },
  { names: ["token"], load: async () => (await import("./token.ts")).addTokenCommands },
  { names: ["app"], load: async () => (await import("./app.ts")).addAppCommands },
  { names: ["endpoint"], load: async () => (await import("./endpoint.ts")).addEndpointCommands },
  { names: ["workspace"], load: async () => (await import("./workspace.ts")).addWorkspaceCommands },
  { names: ["job"], load: async () => (await import("./job.ts")).addJobCommands },
  { names: ["export"], load: async () => (await import("./export.ts")).addExportCommand },
  { names: ["import"], load: async () => (await import("./import.ts")).addImportCommand },
  { names: ["listen"], load: async () => (await import("./listen.ts")).addListenCommand },
  { names: ["backup"], load: async () => (await import("./backup.ts")).addBackupCommand },
  { names: ["restore"], load: async () => (await import("./restore.ts")).addRestoreCommand },
  { names: ["maintenance"], load: async () => (await import("./maintenance.ts")).addMaintenanceCommands },
  { names: ["promote", "demote"], load: async () => (await import("./leadership.ts")).addLeadCommands },
  { names: ["licences"], load: async () => (await import("./licences/licences.ts")).addLicencesCommand },
  { names: ["openapi"], load: async () => (await import("./openapi.ts")).addOpenApiCommand },
  { names: ["schema"], load: async () => (await import("./schema.ts")).addSchemaCommand },
  // Without a name, as a completion script needs all commands.
  { names: [], load: async () => (await import("./completion.ts")).addCompletionCommand },
];
