import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ConfigError } from "../../config/config.ts";
import { systemClock } from "../../core/base/clock.ts";
import { systemRandom } from "../../core/base/random.ts";
import { type AnySetting, formatHint } from "../../config/setting.ts";
import { SETTINGS } from "../../config/table.ts";
import { faultOf, hostOf, hostMismatch, TlsRefused } from "../../operate/tls/certificate.ts";
import { readPem } from "../../operate/tls/files.ts";
import { UsageError } from "../options.ts";
import { type Prompter, yesOrNo } from "./ask.ts";
import type { Machine } from "./machine.ts";

export interface SetupFlags {
  name?: string;
  origin?: string;
  tls?: string;
  email?: string;
  certificate?: string;
  key?: string;
  data?: string;
  unit?: boolean;
}

type Name = keyof typeof SETTINGS;
export type Settings = Partial<Record<Name, string>>;

/** Settings that only the answers determine. All others are kept when the file is replaced. */
export const ASKED_SETTINGS = [
  "name",
  "origin",
  "data",
  "host",
  "port",
  "trustedProxies",
  "acme",
  "tlsCert",
  "tlsKey",
  "httpPort",
] satisfies Name[];

export interface Answers {
  settings: Settings;
  /** Whether to install the systemd unit. */
  unit: boolean;
}

/** The data folder of the unit. Under the unit, the program can write only there. */
const SERVICE_FOLDER = "/var/lib/guildhall";

const TLS = {
  acme: "Guildhall gets a certificate from Let's Encrypt (needs ports 80 and 443 of this machine)",
  files: "Guildhall uses certificate files that another program renews",
  proxy: "a proxy such as Caddy or nginx handles TLS",
} as const;
type Tls = keyof typeof TLS;

/** Asks for everything that a new community needs. Checks each answer before the next question. */
export async function answersOf(asker: Prompter, flags: SetupFlags, machine: Machine): Promise<Answers> {
  const name = await asker.answer({
    flag: "--name",
    given: flags.name,
    question: "Name of the community?",
    usual: "Guildhall",
    read: validatorOf(SETTINGS.name),
  });
  const origin = await asker.answer({
    flag: "--origin",
    given: flags.origin,
    question: "Public URL, such as https://guild.example?",
    read: validatorOf(SETTINGS.origin),
  });
  const listening = await askListening(asker, flags, new URL(origin), machine);
  const unit = await wantsUnit(asker, flags, machine);
  const data = await folderOf(asker, flags, unit || machine.hasUnit);
  // Backups are stored beside the database by default. Such a backup is better than none, and this folder
  // certainly exists.
  return { settings: { name, origin, data, ...listening, backup: join(data, "backups") }, unit };
}

/** Asks for the address and port to listen on, and where TLS ends. */
async function askListening(
  asker: Prompter,
  flags: SetupFlags,
  origin: URL,
  machine: Machine,
): Promise<Settings> {
  const { tls } = flags;
  const port = origin.port || (origin.protocol === "https:" ? "443" : "80");
  if (origin.protocol === "http:") {
    if (tls !== undefined) throw new UsageError(`--tls ${tls} needs a public URL that begins with https://.`);
    if (isLocal(origin)) return { host: origin.hostname.replace("localhost", "127.0.0.1"), port };
    asker.print("  Over http://, others can read passwords in transit. Use https:// for a public server.");
    return { host: machine.everyAddress, port };
  }
  const choices = Object.entries(TLS).map(([key, description]) => `  ${key.padEnd(8)}${description}`);
  if (tls === undefined) asker.print(["How is TLS handled?", ...choices].join("\n"));
  const usual = machine.isRoot && !isLocal(origin) ? "acme" : "proxy";
  const by = await asker.answer({ flag: "--tls", given: tls, question: "TLS mode?", usual, read: tlsOf });
  // Always creates a token for the metrics. The monitoring may be on another machine, and behind a proxy all
  // clients look local.
  const metricsToken = Buffer.from(systemRandom.bytes(24)).toString("base64url");
  if (by === "proxy")
    return { host: "127.0.0.1", port: "8787", trustedProxies: "127.0.0.1,::1", metricsToken };
  const open = { host: isLocal(origin) ? "127.0.0.1" : machine.everyAddress, port, metricsToken };
  if (by === "acme") return { ...open, acme: await addressOf(asker, flags) };
  return { ...open, ...(port === "443" ? { httpPort: "80" } : {}), ...(await filesOf(asker, flags, origin)) };
}

function addressOf(asker: Prompter, { email }: SetupFlags): Promise<string> {
  return asker.answer({
    flag: "--email",
    given: email,
    question:
      "Your email address for Let's Encrypt? By entering it, you accept the terms of Let's Encrypt (letsencrypt.org/repository).",
    read: validatorOf(SETTINGS.acme),
  });
}

async function filesOf(
  asker: Prompter,
  flags: SetupFlags,
  origin: URL,
): Promise<{ tlsCert: string; tlsKey: string }> {
  const host = hostOf(origin.origin);
  const cert = await asker.answer({
    flag: "--certificate",
    given: flags.certificate,
    question: "Certificate file, including the chain?",
    read: (text) => pemOf("certificate", text, (pem) => hostMismatch(pem, host)),
  });
  const key = await asker.answer({
    flag: "--key",
    given: flags.key,
    question: "Private key file?",
    read: (text) =>
      pemOf("key", text, (pem) =>
        faultOf({ cert: readPem("certificate", cert), key: pem }, host, systemClock.now()),
      ),
  });
  return { tlsCert: cert, tlsKey: key };
}

/** Returns the absolute path of the file. Throws UsageError if the file is invalid. */
function pemOf(what: string, text: string, faultIn: (pem: string) => string | undefined): string {
  if (text === "") throw new UsageError("The file name is missing.");
  const file = resolve(text);
  let fault: string | undefined;
  try {
    fault = faultIn(readPem(what, file));
  } catch (error) {
    throw error instanceof TlsRefused ? new UsageError(error.message) : error;
  }
  if (fault !== undefined) throw new UsageError(`${file} cannot be used: ${fault}.`);
  return file;
}

function tlsOf(text: string): Tls {
  const found = (Object.keys(TLS) as Tls[]).find((each) => each === text);
  if (!found)
    throw new UsageError(
      `TLS mode ${JSON.stringify(text)} does not exist. Use one of ${Object.keys(TLS).join(", ")}.`,
    );
  return found;
}

function isLocal({ hostname }: URL): boolean {
  return hostname === "localhost" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

async function wantsUnit(asker: Prompter, { unit }: SetupFlags, machine: Machine): Promise<boolean> {
  if (machine.hasUnit) {
    if (unit) throw new UsageError("The unit guildhall.service is already installed. Omit --unit.");
    return false;
  }
  if (machine.whyNoUnit !== undefined) {
    if (unit) throw new UsageError(`The unit cannot be installed. ${machine.whyNoUnit}`);
    return false;
  }
  return asker.answer({
    flag: "--unit",
    given: unit === undefined ? undefined : unit ? "yes" : "no",
    question: "Start Guildhall at boot with systemd?",
    usual: "yes",
    read: yesOrNo,
  });
}

async function folderOf(asker: Prompter, flags: SetupFlags, isService: boolean): Promise<string> {
  if (!isService) {
    return asker.answer({
      flag: "--data",
      given: flags.data,
      question: "Data folder?",
      usual: resolve("data"),
      read: usableFolder,
    });
  }
  if (flags.data === undefined || resolve(flags.data) === SERVICE_FOLDER) return SERVICE_FOLDER;
  throw new UsageError(`The unit's data folder is ${SERVICE_FOLDER}. Omit --data, or add --no-unit.`);
}

function usableFolder(text: string): string {
  if (text === "") throw new UsageError("The folder name is missing.");
  const folder = resolve(text);
  let above = folder;
  while (!existsSync(above) && above !== dirname(above)) above = dirname(above);
  if (!statSync(above).isDirectory()) throw new UsageError(`${above} is a file. Name another folder.`);
  try {
    accessSync(above, constants.W_OK | constants.X_OK);
  } catch {
    throw new UsageError(`This user cannot write to ${above}. Name another folder.`);
  }
  return folder;
}

/** Returns a function that returns a text unchanged if the setting accepts it. */
function validatorOf(setting: AnySetting): (text: string) => string {
  return (text) => {
    let value: unknown;
    try {
      value = setting.parse(text);
    } catch {
      value = undefined;
    }
    if (text !== "" && value !== undefined) return text;
    throw new ConfigError(`${JSON.stringify(text)} is not valid. ${formatHint(setting)}`);
  };
}
