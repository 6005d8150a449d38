import { OPERATOR } from "../core/identity/access/caller.ts";
import { type Command, Option } from "commander";
import { createToken, listTokens, revokeToken, TokenDraft } from "../core/delegation/tokens/tokens.ts";
import { BUILDER_SCOPES, SCOPE_NAMES } from "../core/identity/access/scopes.ts";
import { foldUsername } from "../core/identity/builders/username.ts";
import { check } from "../core/base/check.ts";
import { isoTime } from "../core/base/clock.ts";
import { type DataFlags, dataOption, wholeNumber, type Environment } from "./options.ts";
import { type JsonFlag, jsonOption, printJson } from "./output.ts";
import { withCore } from "./with-core.ts";

interface CreateFlags extends DataFlags {
  name: string;
  scope?: string[];
  workspace?: string;
  expiresDays?: number;
  tier: "personal" | "enterprise";
}

export function addTokenCommands(program: Command, environment: Environment): void {
  const token = program.command("token").description("Manage personal access tokens");
  dataOption(token.command("create <username>"))
    .description("Create a token and print it; it cannot be shown again")
    .option("--name <name>", "Name of the token", "command line")
    .option(
      "--scope <scope>",
      "Scope; repeatable (default: all but moderation and admin)",
      (scope: string, scopes: string[] = []) => [...scopes, scope],
    )
    .option("--workspace <id>", "Workspace the token belongs to (default: the member's own)")
    .option(
      "--expires-days <n>",
      "Days until the token expires (default: never)",
      wholeNumber("--expires-days", 1, 3650),
    )
    .addOption(
      new Option("--tier <tier>", "Rate limits").choices(["personal", "enterprise"]).default("personal"),
    )
    .addHelpText("after", `\nScopes: ${SCOPE_NAMES.join(", ")}`)
    .action(async (username: string, flags: CreateFlags) => {
      const draft = check(TokenDraft, {
        name: flags.name,
        scopes: flags.scope ?? BUILDER_SCOPES,
        tier: flags.tier,
        ...(flags.expiresDays === undefined ? {} : { expiresInDays: flags.expiresDays }),
        ...(flags.workspace === undefined ? {} : { workspaceId: flags.workspace }),
      });
      const created = await withCore(environment, flags, (core) =>
        createToken(core, OPERATOR, foldUsername(username), draft),
      );
      process.stdout.write(`${created.token}\n`);
    });
  jsonOption(dataOption(token.command("list <username>")))
    .description("List a member's tokens, newest first: id, state, last use, name, scopes, unused scopes")
    .action(async (username: string, flags: DataFlags & JsonFlag) => {
      const tokens = await withCore(environment, flags, (core) =>
        listTokens(core, OPERATOR, foldUsername(username)),
      );
      if (flags.json)
        return printJson(
          tokens.map(({ endpoints, ...rest }) => ({ ...rest, endpoints: endpoints.map(({ id }) => id) })),
        );
      for (const { id, state, lastUsedAt, name, scopes, unusedScopes } of tokens) {
        const used = lastUsedAt === null ? "never used" : `used ${isoTime(lastUsedAt)}`;
        const line = [id, state, used, name, scopes.join(" "), unusedScopes.join(" ")];
        process.stdout.write(`${line.join("\t")}\n`);
      }
    });
  dataOption(token.command("revoke <id-or-token>"))
    .description("Revoke a token, by its id or the token itself; print the webhook endpoints that it created")
    .option("--end-endpoints", "Also delete the webhook endpoints that the token created")
    .action(async (idOrToken: string, flags: DataFlags & { endEndpoints?: boolean }) => {
      const activeEndpoints = await withCore(environment, flags, (core) =>
        revokeToken(core, OPERATOR, idOrToken, flags.endEndpoints ? "all" : []),
      );
      for (const { id, url, events } of activeEndpoints)
        process.stdout.write(`${id}\t${url}\t${events.join(" ")}\tstill active\n`);
    });
}
