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
Asks on a terminal, and writes at the end: until then Ctrl-C leaves nothing. What an option
answers is not asked. A script answers by options alone:
  guildhall setup --yes --origin https://guild.example --tls proxy --data /srv/guild
The link for the first admin is printed to stdout, all else to stderr.`;

export function addSetupCommand(program: Command, environment: Environment): void {
  program
    .command("setup")
    .description("ask what a community needs, write its settings file, print the first admin's link")
    .option("--name <name>", "what it is called")
    .option("--origin <origin>", "its public address, such as https://guild.example")
    .option("--tls <who>", "who speaks TLS: acme, files or proxy")
    .option("--email <address>", "yours, for the authority, with --tls acme")
    .option("--certificate <file>", "of the certificate and its chain, with --tls files")
    .option("--key <file>", "of its private key, with --tls files")
    .option("--data <dir>", "the data folder")
    .option("--unit", "install the unit of systemd")
    .option("--no-unit", "install none")
    .option("--settings <file>", `the file to write (${environment.settings} as root, else ./settings.toml)`)
    .option(
      "--replace",
      "write it, and the unit, anew where they are there; old settings stay beside it as .old",
    )
    .option("--yes", "ask nothing")
    .addHelpText("after", HELP)
    .action((flags: Flags) => setup(environment, flags));
}

async function setup(environment: Environment, flags: Flags): Promise<void> {
  const machine = thisMachine();
  const path = resolve(flags.settings ?? (machine.isRoot ? environment.settings : "settings.toml"));
  if (!flags.yes && !process.stdin.isTTY)
    throw new UsageError("there is no terminal to ask on; answer by options and add --yes");
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

/** Whether what is there already is written anew. Throws DataRefused. */
async function mayWrite(asker: Prompter, path: string, { replace = false, yes }: Flags): Promise<boolean> {
  if (replace || !existsSync(path)) return replace;
  const isMeant =
    !yes &&
    (await asker.answer({
      flag: "--replace",
      given: undefined,
      words: `${path} is there already. Write it anew (the old one stays beside it as .old)?`,
      usual: "no",
      read: yesOrNo,
    }));
  if (!isMeant)
    throw new DataRefused(`${path} is there already, and stays as it is; --replace writes it anew`);
  return true;
}

async function confirm(asker: Prompter, path: string, { settings, unit }: Answers): Promise<void> {
  const shown = Object.entries(settings).filter(([name]) => name !== "metricsToken");
  asker.print(["", ...shown.map(([name, text]) => `  ${name.padEnd(16)}${text}`)].join("\n"));
  const isMeant = await asker.answer({
    flag: "--yes",
    given: undefined,
    words: `Write this to ${path}${unit ? ", and install the unit" : ""}?`,
    usual: "yes",
    read: yesOrNo,
  });
  if (!isMeant) throw new DataRefused("nothing was written");
}

/** What was done, and what comes next. */
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
      : `\n  Send the proxy to     http://${settings.host}:${settings.port}`;
  const kept = `\n  Backed up daily in    ${settings.backup}, until you name a place elsewhere (backup in that file)`;
  const first =
    link === undefined ? "  It has an admin already." : "  Then open this link, and you run the community:\n";
  return `\n  Written               ${path}\n  Start it by           ${start}${proxied}${kept}\n${first}`;
}
