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
import { addSpamCommand } from "./spam.ts";
import { addMemberListCommands } from "./member-list.ts";
import { type JsonFlag, jsonOption, printJson, printRows } from "./output.ts";
import { withCore } from "./with-core.ts";
import { renameAccount, UsernameDraft } from "../core/identity/accounts/rename.ts";
import { vouchFor } from "../core/identity/newcomers/newcomers.ts";
import { changeRole } from "../core/identity/accounts/administration.ts";
import { restoreBuilder } from "../core/services/moderation/moderation.ts";
import { type DecideFlags, decideAs, decideOptions } from "./case.ts";

interface CreateFlags extends DataFlags {
  name?: string;
  role?: Role;
  admin?: boolean;
  passwordStdin?: boolean;
}

const CREATE_HELP = `
Without --password-stdin, the member cannot sign in yet. \`guildhall builder recover\` prints a link to set a
password. With --password-stdin, keep the password out of the shell's history:
  guildhall builder create ada --password-stdin < password.txt`;

export function addBuilderCommands(program: Command, environment: Environment): void {
  const builder = program.command("builder").description("Manage builders, the members of the community");
  dataOption(builder.command("create <username>"))
    .description("Create a member with a personal workspace; print the id")
    .option("--name <name>", "Display name (default: the username)")
    .option("--role <role>", `Role: ${ROLES.join(", ")} (default: member)`, roleNamed)
    .option("--admin", "Make them an admin, or the owner if the community has no owner")
    .option("--password-stdin", "Read the password from standard input, one line")
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
    .description("Print a link to set a new password; the link works once, within 24 hours")
    .action(async (username: string, flags: DataFlags) => {
      const { url } = await withCore(environment, { ...flags, prints: "links" }, (core) =>
        makeRecovery(core, OPERATOR, username),
      );
      process.stdout.write(`${url}\n`);
    });
  jsonOption(dataOption(builder.command("claims")))
    .description("List imported accounts that nobody has claimed: username, origin")
    .option("--links", "Create a password link for each account; each link works once, within 7 days")
    .action(async (flags: DataFlags & JsonFlag & { links?: boolean }) => {
      const prints = flags.links ? ("links" as const) : undefined;
      const rows = await withCore(environment, { ...flags, prints }, (core) =>
        [...unclaimedAccounts(core)].map(({ username, host, name }) => {
          const link = flags.links ? { link: makeClaim(core, OPERATOR, username).url } : {};
          return { username, origin: `${host}/${name}`, ...link };
        }),
      );
      if (flags.json) printJson(rows);
      else printRows(rows);
    });
  dataOption(builder.command("invite"))
    .description("Print an invitation link (default: for one person, within 7 days)")
    .option("--mail <address>", "Also send the link to this email address, if a mail server is set up")
    .option(
      "--label <text>",
      "Label for the link; admins see it on the link and on members who used the link",
    )
    .option("--uses <count>", "Number of people who can use the link, 1 to 1000", Number)
    .option("--expires <length>", "Lifetime of the link, such as 12h or 30d, from 1h to 90d", parseHours)
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
    .description(`Set a member's role; it applies from the member's next request. Roles: ${ROLES.join(", ")}`)
    .action((username: string, role: string, flags: DataFlags) => {
      const given = roleNamed(role);
      return withCore(environment, flags, (core) =>
        changeRole(core, OPERATOR, foldUsername(username), given),
      );
    });
  dataOption(builder.command("admin <username>"))
    .description("Make a member an admin, or the owner if the community has no owner")
    .option("--revoke", "Remove the admin role instead")
    .action((username: string, flags: DataFlags & { revoke?: boolean }) =>
      withCore(environment, flags, (core) => setAdmin(core, foldUsername(username), flags.revoke !== true)),
    );
  dataOption(builder.command("vouch <username>"))
    .description("Vouch for a newcomer: lift the newcomer limits for this member")
    .action((username: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => vouchFor(core, OPERATOR, foldUsername(username))),
    );
  dataOption(builder.command("rename <username> <new>"))
    .description("Change a member's username; the old one stays reserved and redirects")
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
  const restrictions = [
    { act: "warn", describes: "Warn a member; the member reads the reason" },
    { act: "limit", describes: "Limit a member: posts wait for approval, no messages to strangers" },
    { act: "unlimit", describes: "Lift a member's limit" },
    {
      act: "suspend",
      describes: "Suspend a member: stop their sessions, tokens, and apps that only they own",
    },
  ] as const;
  for (const { act, describes } of restrictions)
    decideOptions(dataOption(builder.command(`${act} <username>`)), {
      isTimed: act === "limit" || act === "suspend",
    })
      .description(describes)
      .action((username: string, flags: DecideFlags) =>
        withCore(
          environment,
          flags,
          (core) => void decideAs(core, findInMemberList(core, OPERATOR, username).id, act, flags),
        ),
      );
  addSpamCommand(builder, environment);
  dataOption(builder.command("restore <username>"))
    .description("Lift a member's suspension")
    .action((username: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => void restoreBuilder(core, OPERATOR, username)),
    );
  dataOption(builder.command("secure <username>"))
    .description("End all access to an account: sessions, tokens, apps, webhook endpoints, links")
    .option("--drop-password", "Also remove the password; `builder recover` lets the member set a new one")
    .option("--drop-passkeys", "Also remove all passkeys")
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
    .description("Delete an account and everything its member wrote; asks for confirmation")
    .option("--yes", "Do not ask for confirmation")
    .addHelpText("after", DELETE_HELP)
    .action(async (username: string, flags: DataFlags & { yes?: boolean }) => {
      const typed = flags.yes ? username : confirmUsername(username);
      await withCore(environment, flags, (core) => deleteAccount(core, OPERATOR, username, typed));
    });
  dataOption(builder.command("undelete <username>"))
    .description("Bring back an account that an admin deleted in the last 7 days")
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

function parseHours(text: string): number {
  const hours = (duration(text) ?? 0) / HOUR;
  if (Number.isInteger(hours) && hours >= 1 && hours <= 90 * 24) return hours;
  throw new UsageError("--expires must be whole hours or days, from 1h to 90d, such as 12h or 30d.");
}

function setAdmin(core: Core, username: string, isAdmin: boolean): void {
  if (isAtLeast(findInMemberList(core, OPERATOR, username).role, "admin") === isAdmin)
    throw refuse("role_same", { username });
  changeRole(core, OPERATOR, username, isAdmin ? roleOfAdmin(core) : "member");
}

function roleNamed(text: string): Role {
  const role = ROLES.find((name) => name === text);
  if (!role) throw new UsageError(`The role must be one of ${ROLES.join(", ")}.`);
  return role;
}

function* unclaimedAccounts(core: Core): Generator<Unclaimed> {
  for (let after = ""; ;) {
    const page = listUnclaimed(core, OPERATOR, after, 100);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.username;
  }
}

const DELETE_HELP = `
This cannot be undone, even if an admin deleted the account less than 7 days ago. Sign-in, tokens, and access by
apps end at once. A running server then erases posts, messages, and everything else in small steps. If no server is
running, this begins when one starts. The username stays taken.`;

/** Asks for confirmation on a terminal. Scripts use --yes. */
function confirmUsername(username: string): string {
  if (!process.stdin.isTTY) throw new UsageError("This cannot be undone. Add --yes to confirm.");
  return prompt(`This cannot be undone. Type ${username} to delete the account:`) ?? "";
}

/**
 * Reads the password from standard input, without the final line break. A command-line argument would be
 * visible to all users of the machine.
 */
function readPassword(): string {
  // A terminal would show the typed password.
  if (process.stdin.isTTY)
    throw new UsageError("The password must come from a pipe or file: --password-stdin < password.txt");
  let password: string;
  try {
    password = readFileSync(0, "utf8").replace(/\r?\n$/, "");
  } catch {
    throw new UsageError("The password cannot be read from standard input. Pipe it in.");
  }
  // No sign-in form could send a line break.
  if (/[\r\n]/.test(password))
    throw new UsageError("The password has more than one line. Pipe in a single line.");
  return password;
}
