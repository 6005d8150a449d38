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
  const app = program.command("app").description("apps that builders let in through OAuth");
  dataOption(app.command("create <username> <name>"))
    .description("register an app; prints its client id, and under it the secret, which is never shown again")
    .requiredOption("--redirect <address>", "where answers go, letter by letter; repeat it", repeated)
    .option("--scope <scope>", "what it may ask for; repeat it (all)", repeated)
    .option("--homepage <address>", "where people read about it")
    .option("--public", "it runs on a device or in a browser and can keep no secret")
    .option("--id-token-alg <alg>", "how its ID tokens are signed: RS256 (RS256) or EdDSA")
    .option("--workspace <id>", "the workspace it belongs to (the builder's own)")
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
      const made = await withCore(environment, flags, (core) => {
        const [own] = listWorkspaces(core, OPERATOR, foldUsername(username));
        return registerApp(core, OPERATOR, flags.workspace ?? own?.id ?? "", draft);
      });
      process.stdout.write(`${made.app.id}\n${made.secret === null ? "" : `${made.secret}\n`}`);
    });
  jsonOption(dataOption(app.command("list")))
    .description("all apps, newest first: id, kind, state, workspace, name, redirect addresses")
    .action(async (flags: DataFlags & JsonFlag) => {
      const apps = await withCore(environment, flags, (core) =>
        readAllPages((request) => listAllApps(core, OPERATOR, request)),
      );
      const rows = apps.map(rowOf);
      if (flags.json) printJson(rows);
      else printRows(rows);
    });
  dataOption(app.command("suspend <id>"))
    .description("lock an app out: all its tokens stop working at once")
    .requiredOption("--reason <text>", "why; its makers read it")
    .action((id: string, flags: DataFlags & { reason: string }) =>
      withCore(environment, flags, (core) =>
        suspendApp(core, OPERATOR, id, check(Suspension, { reason: flags.reason }).reason),
      ),
    );
  dataOption(app.command("restore <id>"))
    .description("let a suspended app in again, with what builders granted it")
    .action((id: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => restoreApp(core, OPERATOR, id)),
    );
  dataOption(app.command("rate <id>"))
    .description("set an app's enterprise rates, or take them back with neither")
    .option("--sustained <n>", "requests a minute", wholeNumber("--sustained", 1, 10_000_000))
    .option("--burst <n>", "requests at once", wholeNumber("--burst", 1, 100_000_000))
    .action(
      (id: string, { sustained, burst, ...flags }: DataFlags & { sustained?: number; burst?: number }) => {
        if ((sustained === undefined) !== (burst === undefined))
          throw new UsageError("--sustained and --burst go together");
        const rate = sustained === undefined || burst === undefined ? null : { sustained, burst };
        return withCore(environment, flags, (core) => setAppRate(core, OPERATOR, id, rate));
      },
    );
}

function rowOf({ id, kind, suspended, isOrphaned, workspace, name, redirectUris }: App): Row {
  const state = suspended ? "suspended" : isOrphaned ? "owner-suspended" : "live";
  return { id, kind, state, workspace: workspace.name, name, redirectUris };
}
