import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { isAtLeast, type Role, ROLES } from "../core/identity/access/roles.ts";
import { createAccount } from "../core/identity/accounts/accounts.ts";
import { listUnclaimed, makeClaim, type Unclaimed } from "../core/services/imported/imported.ts";
import type { Core } from "../core/base/core.ts";
import { undoDeletion } from "../core/services/deletion/pending.ts";
import { deleteAccount } from "../core/services/deletion/deletion.ts";
import { inviteNewcomer, NewcomerDraft } from "../core/identity/mail/invitation.ts";
import { makeRecovery } from "../core/identity/accounts/passwords.ts";
import { secureAccount } from "../core/delegation/securing/securing.ts";
import { BuilderDraft, roleOfAdmin } from "../core/identity/builders/builders.ts";
import { findInMemberList } from "../core/identity/builders/member-list.ts";
import { foldUsername } from "../core/identity/builders/username.ts";
import { check } from "../core/base/check.ts";
import { HOUR } from "../core/base/clock.ts";
import { refuse } from "../core/base/errors.ts";
import { duration } from "../config/parsers.ts";
import { type DataFlags, dataOption, type Environment, UsageError } from "./options.ts";
import { addMemberListCommands } from "./member-list.ts";
import { type JsonFlag, jsonOption, printJson, printRows } from "./output.ts";
import { withCore } from "./with-core.ts";
import { renameAccount, UsernameDraft } from "../core/identity/accounts/rename.ts";
import { vouchFor } from "../core/identity/newcomers/newcomers.ts";
import { giveRole } from "../core/identity/accounts/administration.ts";
import { setSuspended } from "../core/delegation/securing/suspension.ts";

interface CreateFlags extends DataFlags {
  name?: string;
  role?: Role;
  admin?: boolean;
  passwordStdin?: boolean;
}

const CREATE_HELP = `
Without --password-stdin nobody can sign in as them yet; \`guildhall builder recover\` prints a
link by which they set a password. With it, keep the password out of the shell's history:
  guildhall builder create ada --password-stdin < password.txt`;

export function addBuilderCommands(program: Command, environment: Environment): void {
  const builder = program.command("builder").description("builders: the people of the community");
  dataOption(builder.command("create <username>"))
    .description("make a builder with a personal workspace; prints their id")
    .option("--name <name>", "the name shown to others (the username)")
    .option("--role <role>", `what they may do for the community: ${ROLES.join(", ")} (member)`, roleNamed)
    .option("--admin", "may run the community: as its owner where it has none, else as an admin")
    .option("--password-stdin", "read their password from standard input: one line")
    .addHelpText("after", CREATE_HELP)
    .action(async (username: string, flags: CreateFlags) => {
      const draft = check(BuilderDraft, {
        username: foldUsername(username),
        name: flags.name ?? username,
        role: flags.role ?? "member",
      });
      const password = flags.passwordStdin ? readPassword() : undefined;
      const id = await withCore(environment, { ...flags, mayCreate: true }, (core) =>
        createAccount(core, OPERATOR, {
          ...draft,
          role: flags.admin && flags.role === undefined ? roleOfAdmin(core) : draft.role,
          password,
        }),
      );
      process.stdout.write(`${id}\n`);
    });
  addMemberListCommands(builder, environment);
  dataOption(builder.command("recover <username>"))
    .description("print a link by which a builder sets a new password: good once, for 24 hours")
    .action(async (username: string, flags: DataFlags) => {
      const { url } = await withCore(environment, { ...flags, prints: "links" }, (core) =>
        makeRecovery(core, OPERATOR, username),
      );
      process.stdout.write(`${url}\n`);
    });
  jsonOption(dataOption(builder.command("claims")))
    .description("list accounts that were imported and nobody has claimed: username, and where they are from")
    .option("--links", "make a link for each by which its person sets a password: good once, for 7 days")
    .action(async (flags: DataFlags & JsonFlag & { links?: boolean }) => {
      const prints = flags.links ? ("links" as const) : undefined;
      const rows = await withCore(environment, { ...flags, prints }, (core) =>
        [...unclaimed(core)].map(({ username, host, name }) => {
          const link = flags.links ? { link: makeClaim(core, OPERATOR, username).url } : {};
          return { username, origin: `${host}/${name}`, ...link };
        }),
      );
      if (flags.json) printJson(rows);
      else printRows(rows);
    });
  dataOption(builder.command("invite"))
    .description("print a link by which one person makes an account: good once, for 7 days, or as is said")
    .option("--mail <address>", "send it there, too, where a mail server is set up")
    .option("--label <text>", "what it is for: admins see it beside the link and beside who came by it")
    .option("--uses <count>", "for how many people (1 to 1000)", Number)
    .option("--expires <length>", "for how long, such as 12h or 30d (1h to 90d)", hoursOf)
    .action(async ({ mail, label, uses, expires, ...flags }: InviteFlags) => {
      const given = { address: mail, label, uses, hours: expires };
      const draft = check(
        NewcomerDraft,
        Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      );
      const { url } = await withCore(environment, { ...flags, mayCreate: true, prints: "links" }, (core) =>
        inviteNewcomer(core, OPERATOR, draft),
      );
      process.stdout.write(`${url}\n`);
    });
  dataOption(builder.command("role <username> <role>"))
    .description(
      `say what a builder may do for the community, from their next request on: ${ROLES.join(", ")}`,
    )
    .action((username: string, role: string, flags: DataFlags) => {
      const given = roleNamed(role);
      return withCore(environment, flags, (core) => giveRole(core, OPERATOR, foldUsername(username), given));
    });
  dataOption(builder.command("admin <username>"))
    .description("let a builder run the community: as its owner where it has none, else as an admin")
    .option("--revoke", "take that right instead")
    .action((username: string, flags: DataFlags & { revoke?: boolean }) =>
      withCore(environment, flags, (core) => setAdmin(core, foldUsername(username), flags.revoke !== true)),
    );
  dataOption(builder.command("vouch <username>"))
    .description("answer for a builder: the limits of newcomers hold for them no more")
    .action((username: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => vouchFor(core, OPERATOR, foldUsername(username))),
    );
  dataOption(builder.command("rename <username> <new>"))
    .description("give a builder another username; the one before stays theirs and leads to them")
    .action((username: string, to: string, flags: DataFlags) =>
      withCore(environment, flags, (core) =>
        renameAccount(
          core,
          OPERATOR,
          foldUsername(username),
          check(UsernameDraft, { username: foldUsername(to) }).username,
        ),
      ),
    );
  dataOption(builder.command("suspend <username>"))
    .description("lock a builder out: their sessions and tokens stop at once, and the apps nobody else owns")
    .action((username: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => setSuspended(core, OPERATOR, foldUsername(username), true)),
    );
  dataOption(builder.command("restore <username>"))
    .description("let a suspended builder in again")
    .action((username: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => setSuspended(core, OPERATOR, foldUsername(username), false)),
    );
  dataOption(builder.command("secure <username>"))
    .description("end for good all that gives access to an account: sessions, tokens, apps, endpoints, links")
    .option("--drop-password", "take the password away, too; `builder recover` lets its builder set another")
    .option("--drop-passkeys", "remove all passkeys, too")
    .action(
      async (username: string, flags: DataFlags & { dropPassword?: boolean; dropPasskeys?: boolean }) => {
        const keep = {
          passkeys: flags.dropPasskeys ? [] : ("all" as const),
          password: !flags.dropPassword,
        };
        const { ended } = await withCore(environment, flags, (core) =>
          secureAccount(core, OPERATOR, username, keep),
        );
        const counts = Object.entries(ended).map(([what, count]) => `${what} ${count}`);
        process.stdout.write(`ended: ${counts.join(", ")}\n`);
      },
    );
  dataOption(builder.command("delete <username>"))
    .description("delete a builder's account for good, with what they wrote; asks for the username once more")
    .option("--yes", "do not ask")
    .addHelpText("after", DELETE_HELP)
    .action(async (username: string, flags: DataFlags & { yes?: boolean }) => {
      const typed = flags.yes ? username : askAgain(username);
      await withCore(environment, flags, (core) => deleteAccount(core, OPERATOR, username, typed));
    });
  dataOption(builder.command("undelete <username>"))
    .description("bring back an account that an admin deleted less than seven days ago, with what they wrote")
    .action((username: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => undoDeletion(core, OPERATOR, username)),
    );
}

interface InviteFlags extends DataFlags {
  mail?: string;
  label?: string;
  uses?: number;
  expires?: number;
}

function hoursOf(text: string): number {
  const hours = (duration(text) ?? 0) / HOUR;
  if (Number.isInteger(hours) && hours >= 1 && hours <= 90 * 24) return hours;
  throw new UsageError("--expires is whole hours or days, from 1h to 90d, such as 12h or 30d");
}

function setAdmin(core: Core, username: string, isAdmin: boolean): void {
  if (isAtLeast(findInMemberList(core, OPERATOR, username).role, "admin") === isAdmin)
    throw refuse("role_same", { username });
  giveRole(core, OPERATOR, username, isAdmin ? roleOfAdmin(core) : "member");
}

function roleNamed(text: string): Role {
  const role = ROLES.find((name) => name === text);
  if (!role) throw new UsageError(`a role is one of ${ROLES.join(", ")}`);
  return role;
}

function* unclaimed(core: Core): Generator<Unclaimed> {
  for (let after = ""; ;) {
    const page = listUnclaimed(core, OPERATOR, after, 100);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.username;
  }
}

const DELETE_HELP = `
This erases the account for good, also one that an admin has deleted on the pages and an owner could
still bring back. Sign-in, tokens and apps' access end at once. Posts, messages and the rest go in small steps
while a server runs on the folder, at its next start where none does. The username stays taken.`;

/** Nothing but a terminal can be asked; a script says --yes. */
function askAgain(username: string): string {
  if (!process.stdin.isTTY) throw new UsageError("this cannot be undone; add --yes to mean it");
  return prompt(`This cannot be undone. Type ${username} to delete the account:`) ?? "";
}

/**
 * All of standard input but the line break that files and `echo` end with. A command line would show it to
 * everyone.
 */
function readPassword(): string {
  // A terminal would show what is typed.
  if (process.stdin.isTTY)
    throw new UsageError("pipe the password in, as in --password-stdin < password.txt");
  let password: string;
  try {
    password = readFileSync(0, "utf8").replace(/\r?\n$/, "");
  } catch {
    throw new UsageError("the password cannot be read from standard input; pipe it in");
  }
  // No form could take it afterwards.
  if (/[\r\n]/.test(password)) throw new UsageError("the password has more than one line; pipe in one alone");
  return password;
}
