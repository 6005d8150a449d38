import type { Command } from "commander";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { previewRemoval, removeSpammers } from "../core/services/moderation/spam.ts";
import { type DataFlags, dataOption, type Environment, UsageError } from "./options.ts";
import { type JsonFlag, jsonOption, printJson, printRows } from "./output.ts";
import { withCore } from "./with-core.ts";

interface SpamFlags extends DataFlags, JsonFlag {
  preview?: boolean;
  host?: string[];
  reason?: string;
  rule?: string;
}

const SPAM_HELP = `
Suspends the accounts and ends their access. A running server then hides everything that they wrote in small steps. If
no server is running, this begins when one starts. For 30 days, their networks cannot sign up, and posts that link a
held host wait for a moderator. \`--preview\` prints counts and the hosts that the members linked, and changes nothing:
  guildhall builder spam mallory eve --preview
  guildhall builder spam mallory eve --host spam.example --reason "Advertisements"`;

export function addSpamCommand(builder: Command, environment: Environment): void {
  jsonOption(dataOption(builder.command("spam <usernames...>")))
    .description("Remove spammers: suspend them and hide everything that they wrote")
    .option("--preview", "Print what a removal would change, and change nothing")
    .option("--host <host...>", "Link host to hold for 30 days (default: none)")
    .option("--reason <text>", "The reason, which the members read")
    .option("--rule <text>", "The rule of the community that the members broke")
    .addHelpText("after", SPAM_HELP)
    .action(async (usernames: string[], flags: SpamFlags) => {
      // `--host` of `serve` is the server's own host, so the configuration must not read this `--host`.
      const { preview, host: hosts = [], reason, rule, ...rest } = flags;
      if (preview) return printPreview(environment, usernames, rest);
      if (reason === undefined) throw new UsageError("Add --reason with the reason, which the members read.");
      const draft = { usernames, hosts, reason, ...(rule === undefined ? {} : { rule }) };
      const removed = await withCore(environment, rest, (core) => removeSpammers(core, OPERATOR, draft));
      const rows = removed.map(({ builder, id }) => ({ username: builder, decision: id }));
      if (flags.json) printJson(rows);
      else printRows(rows);
    });
}

async function printPreview(environment: Environment, usernames: string[], flags: SpamFlags): Promise<void> {
  const { members, hosts, networks, counts } = await withCore(environment, flags, (core) =>
    previewRemoval(core, OPERATOR, usernames),
  );
  const rows = members.map(({ refused, ...member }) => ({ ...member, refused: refused?.code ?? null }));
  if (flags.json) return printJson({ members: rows, hosts, networks, counts });
  printRows(rows.map(({ refused: _, ...row }) => row));
  printRows(hosts.map((host) => ({ ...host })));
}
