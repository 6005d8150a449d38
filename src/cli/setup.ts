import { existsSync } from "node:fs";
import type { Command } from "commander";
import { resolve } from "node:path";
import { DataRefused } from "../app/data-folder.ts";
import { type Environment, UsageError } from "./options.ts";
import { type Prompter, noPrompt, terminalPrompt, yesOrNo } from "./setup/ask.ts";
import { type Machine, thisMachine } from "./setup/machine.ts";
import { type Answers, answersOf, type SetupFlags } from "./setup/questions.ts";
import { writeAll } from "./setup/write.ts";

interface Flags extends SetupFlags {
  settings?: string;
  yes?: boolean;
  replace?: boolean;
}

const HELP = `
The command asks its questions on a terminal and writes nothing until the end, so you can stop it with Ctrl-C.
Options answer questions in advance. In a script, give all options and --yes:
  guildhall setup --yes --origin https://guild.example --tls proxy --data /srv/guild
The link for the first admin goes to stdout, everything else to stderr.`;

export function addSetupCommand(program: Command, environment: Environment): void {
  program
    .command("setup")
    .description("Set up a community: write its settings file and print the link for the first admin")
    .option("--name <name>", "Name of the community (default: Guildhall)")
    .option("--origin <origin>", "Public URL, such as https://guild.example")
    .option("--tls <who>", "TLS mode: acme, files, or proxy (default: acme as root, else proxy)")
    .option("--email <address>", "Your email address for the certificate authority, with --tls acme")
    .option("--certificate <file>", "File with the certificate and its chain, with --tls files")
    .option("--key <file>", "File with the certificate's private key, with --tls files")
    .option("--data <dir>", "Data folder (default: ./data, or /var/lib/guildhall with the unit)")
    .option("--unit", "Install the systemd unit")
    .option("--no-unit", "Do not install the systemd unit")
    .option(
      "--settings <file>",
      `Settings file to write (default: ${environment.settings} as root, else ./settings.toml)`,
    )
    .option("--replace", "Overwrite the settings file and the unit; the old settings are kept as .old")
    .option("--yes", "Ask no questions: use options and defaults")
    .addHelpText("after", HELP)
    .action((flags: Flags) => setup(environment, flags));
}

async function setup(environment: Environment, flags: Flags): Promise<void> {
  const machine = thisMachine();
  const path = resolve(flags.settings ?? (machine.isRoot ? environment.settings : "settings.toml"));
  if (!flags.yes && !process.stdin.isTTY)
    throw new UsageError(
      "There is no terminal to ask questions on. Give the answers as options, and add --yes.",
    );
  const asker = flags.yes ? noPrompt() : terminalPrompt();
  let link: string | undefined;
  let answers: Answers;
  try {
    const mayReplace = await mayWrite(asker, path, flags);
    answers = await answersOf(asker, flags, machine);
    await confirm(asker, path, answers);
    link = await writeAll(path, answers, machine, mayReplace);
  } finally {
    asker.close();
  }
  process.stderr.write(`${summaryOf(environment, path, answers, machine, link)}\n`);
  if (link !== undefined) process.stdout.write(`${link}\n`);
}

/** Whether an existing file may be replaced. Throws DataRefused. */
async function mayWrite(asker: Prompter, path: string, { replace = false, yes }: Flags): Promise<boolean> {
  if (replace || !existsSync(path)) return replace;
  const isMeant =
    !yes &&
    (await asker.answer({
      flag: "--replace",
      given: undefined,
      question: `${path} already exists. Overwrite it (the old file is kept as .old)?`,
      usual: "no",
      read: yesOrNo,
    }));
  if (!isMeant)
    throw new DataRefused(`${path} already exists and was not changed. Overwrite it with --replace.`);
  return true;
}

async function confirm(asker: Prompter, path: string, { settings, unit }: Answers): Promise<void> {
  const shown = Object.entries(settings).filter(([name]) => name !== "metricsToken");
  asker.print(["", ...shown.map(([name, text]) => `  ${name.padEnd(16)}${text}`)].join("\n"));
  const isMeant = await asker.answer({
    flag: "--yes",
    given: undefined,
    question: `Write this to ${path}${unit ? " and install the unit" : ""}?`,
    usual: "yes",
    read: yesOrNo,
  });
  if (!isMeant) throw new DataRefused("Nothing was written.");
}

function summaryOf(
  environment: Environment,
  path: string,
  { settings, unit }: Answers,
  { hasUnit }: Machine,
  link: string | undefined,
): string {
  const named = path === environment.settings ? "" : ` --settings ${path}`;
  const start = unit || hasUnit ? "systemctl enable --now guildhall" : `guildhall serve${named}`;
  const proxied =
    settings.trustedProxies === undefined
      ? ""
      : `\n  Proxy target          http://${settings.host}:${settings.port}`;
  const kept = `\n  Daily backup to       ${settings.backup} (change \`backup\` in that file to move it elsewhere)`;
  const first =
    link === undefined
      ? "  The community already has an admin."
      : "  Then open this link to create the first admin account:\n";
  return `\n  Settings file         ${path}\n  Start with            ${start}${proxied}${kept}\n${first}`;
}
