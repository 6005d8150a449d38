import type { Command } from "commander";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { BUILDER_SCOPES } from "../core/identity/access/scopes.ts";
import { type App, AppDraft, Suspension } from "../core/delegation/apps/app.ts";
import {
  listAllApps,
  registerApp,
  restoreApp,
  setAppRate,
  suspendApp,
} from "../core/delegation/apps/apps.ts";
import { foldUsername } from "../core/identity/builders/username.ts";
import { check } from "../core/base/check.ts";
import { listWorkspaces } from "../core/delegation/workspaces/workspaces.ts";
import { type DataFlags, dataOption, wholeNumber, type Environment, UsageError } from "./options.ts";
import { readAllPages, type JsonFlag, jsonOption, type Row, printJson, printRows } from "./output.ts";
import { withCore } from "./with-core.ts";

interface CreateFlags extends DataFlags {
  redirect: string[];
  scope?: string[];
  homepage?: string;
  public?: boolean;
  workspace?: string;
  idTokenAlg?: string;
}

const repeated = (value: string, values: string[] = []): string[] => [...values, value];

export function addAppCommands(program: Command, environment: Environment): void {
  const app = program.command("app").description("Manage OAuth apps");
  dataOption(app.command("create <username> <name>"))
    .description("Register an app; print its client id and its secret, which is shown only once")
    .requiredOption("--redirect <address>", "Redirect URI, which must match exactly; repeatable", repeated)
    .option("--scope <scope>", "Scope the app may request; repeatable (default: all)", repeated)
    .option("--homepage <address>", "URL of the app's website")
    .option("--public", "Register a public client, for a device or browser that cannot keep a secret")
    .option("--id-token-alg <alg>", "Signature algorithm of ID tokens: RS256 or EdDSA (default: RS256)")
    .option("--workspace <id>", "Workspace the app belongs to (default: the member's own)")
    .addHelpText("after", `\nScopes: ${BUILDER_SCOPES.join(", ")}`)
    .action(async (username: string, name: string, flags: CreateFlags) => {
      const draft = check(AppDraft, {
        name,
        kind: flags.public ? "public" : "confidential",
        redirectUris: flags.redirect,
        scopes: flags.scope ?? BUILDER_SCOPES,
        ...(flags.homepage === undefined ? {} : { homepage: flags.homepage }),
        ...(flags.idTokenAlg === undefined ? {} : { idTokenAlg: flags.idTokenAlg }),
      });
      const created = await withCore(environment, flags, (core) => {
        const [own] = listWorkspaces(core, OPERATOR, foldUsername(username));
        return registerApp(core, OPERATOR, flags.workspace ?? own?.id ?? "", draft);
      });
      process.stdout.write(`${created.app.id}\n${created.secret === null ? "" : `${created.secret}\n`}`);
    });
  jsonOption(dataOption(app.command("list")))
    .description("List all apps, newest first: id, kind, state, workspace, name, redirect URIs")
    .action(async (flags: DataFlags & JsonFlag) => {
      const apps = await withCore(environment, flags, (core) =>
        readAllPages((request) => listAllApps(core, OPERATOR, request)),
      );
      const rows = apps.map(rowOf);
      if (flags.json) printJson(rows);
      else printRows(rows);
    });
  dataOption(app.command("suspend <id>"))
    .description("Suspend an app: its tokens stop working at once")
    .requiredOption("--reason <text>", "Reason, shown to the app's owners")
    .action((id: string, flags: DataFlags & { reason: string }) =>
      withCore(environment, flags, (core) =>
        suspendApp(core, OPERATOR, id, check(Suspension, { reason: flags.reason }).reason),
      ),
    );
  dataOption(app.command("restore <id>"))
    .description("Lift an app's suspension; the access that members gave it works again")
    .action((id: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => restoreApp(core, OPERATOR, id)),
    );
  dataOption(app.command("rate <id>"))
    .description("Set an app's enterprise rate limit; without options, remove it")
    .option("--sustained <n>", "Requests per minute", wholeNumber("--sustained", 1, 10_000_000))
    .option("--burst <n>", "Number of requests allowed at once", wholeNumber("--burst", 1, 100_000_000))
    .action(
      (id: string, { sustained, burst, ...flags }: DataFlags & { sustained?: number; burst?: number }) => {
        if ((sustained === undefined) !== (burst === undefined))
          throw new UsageError("--sustained and --burst belong together. Give both, or neither.");
        const rate = sustained === undefined || burst === undefined ? null : { sustained, burst };
        return withCore(environment, flags, (core) => setAppRate(core, OPERATOR, id, rate));
      },
    );
}

function rowOf({ id, kind, suspended, isOrphaned, workspace, name, redirectUris }: App): Row {
  const state = suspended ? "suspended" : isOrphaned ? "owner-suspended" : "live";
  return { id, kind, state, workspace: workspace.name, name, redirectUris };
}
