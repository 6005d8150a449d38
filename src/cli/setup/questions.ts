import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ConfigError } from "../../config.ts";
import { systemRandom } from "../../core/ground/random.ts";
import { type AnySetting, howToWrite } from "../../settings/setting.ts";
import { SETTINGS } from "../../settings/table.ts";
import { UsageError } from "../options.ts";
import { type Asker, yesOrNo } from "./ask.ts";
import type { Machine } from "./machine.ts";

/** Answers that the command line gives. */
export interface SetupFlags {
  name?: string;
  origin?: string;
  tls?: string;
  data?: string;
  unit?: boolean;
}

type Name = keyof typeof SETTINGS;
/** What the file is to say, as texts. */
export type Settings = Partial<Record<Name, string>>;

/** What only the answers say; all else stays as a file that is written anew has it. */
export const ASKED = ["name", "origin", "data", "host", "port", "trustedProxies"] satisfies Name[];

export interface Answers {
  settings: Settings;
  /** Whether the unit of systemd is to be installed. */
  unit: boolean;
}

/** Of the unit, which gives the program this folder and no other to write in. */
const SERVICE_FOLDER = "/var/lib/guildhall";

const TLS = {
  proxy: "a proxy before it, such as Caddy or nginx",
} as const;
type Tls = keyof typeof TLS;

/** Asks for all that a new community needs, each answer checked before the next question. */
export async function answersOf(asker: Asker, flags: SetupFlags, machine: Machine): Promise<Answers> {
  const name = await asker.answer({
    flag: "--name",
    given: flags.name,
    words: "What is the community called?",
    usual: "Guildhall",
    read: takenBy(SETTINGS.name),
  });
  const origin = await asker.answer({
    flag: "--origin",
    given: flags.origin,
    words: "At which address do people open it, such as https://guild.example?",
    read: takenBy(SETTINGS.origin),
  });
  const way = await wayIn(asker, flags, new URL(origin));
  const unit = await wantsUnit(asker, flags, machine);
  const data = await folderOf(asker, flags, unit || machine.hasUnit);
  return { settings: { name, origin, data, ...way }, unit };
}

/** Which address and port to listen on, and who speaks TLS. */
async function wayIn(asker: Asker, { tls }: SetupFlags, origin: URL): Promise<Settings> {
  const port = origin.port || (origin.protocol === "https:" ? "443" : "80");
  if (origin.protocol === "http:") {
    if (tls !== undefined) throw new UsageError(`--tls ${tls} wants an address that begins with https://`);
    if (isLocal(origin)) return { host: origin.hostname.replace("localhost", "127.0.0.1"), port };
    asker.say("  Over http:// passwords can be read on their way. Begin with https:// where others come in.");
    return { host: "0.0.0.0", port };
  }
  const ways = Object.entries(TLS).map(([key, words]) => `  ${key.padEnd(8)}${words}`);
  if (tls === undefined) asker.say(["Who speaks TLS?", ...ways].join("\n"));
  await asker.answer({ flag: "--tls", given: tls, words: "TLS by", usual: "proxy", read: tlsOf });
  // What comes from the proxy looks as if it came from this machine, which sees the metrics without a token.
  const metricsToken = Buffer.from(systemRandom.bytes(24)).toString("base64url");
  return { host: "127.0.0.1", port: "8787", trustedProxies: "127.0.0.1,::1", metricsToken };
}

function tlsOf(text: string): Tls {
  const found = (Object.keys(TLS) as Tls[]).find((each) => each === text);
  if (!found)
    throw new UsageError(
      `TLS is spoken by ${Object.keys(TLS).join(", ")}, and not by ${JSON.stringify(text)}`,
    );
  return found;
}

function isLocal({ hostname }: URL): boolean {
  return hostname === "localhost" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

async function wantsUnit(asker: Asker, { unit }: SetupFlags, machine: Machine): Promise<boolean> {
  if (machine.hasUnit) {
    if (unit) throw new UsageError("this machine has the unit guildhall.service already; leave --unit away");
    return false;
  }
  if (machine.whyNoUnit !== undefined) {
    if (unit) throw new UsageError(`the unit cannot be installed: ${machine.whyNoUnit}`);
    return false;
  }
  return asker.answer({
    flag: "--unit",
    given: unit === undefined ? undefined : unit ? "yes" : "no",
    words: "Start it with the machine, by systemd?",
    usual: "yes",
    read: yesOrNo,
  });
}

async function folderOf(asker: Asker, flags: SetupFlags, isService: boolean): Promise<string> {
  if (!isService) {
    return asker.answer({
      flag: "--data",
      given: flags.data,
      words: "In which folder is it kept?",
      usual: resolve("data"),
      read: usableFolder,
    });
  }
  if (flags.data === undefined || resolve(flags.data) === SERVICE_FOLDER) return SERVICE_FOLDER;
  throw new UsageError(`the unit's data folder is ${SERVICE_FOLDER}; leave --data away, or say --no-unit`);
}

function usableFolder(text: string): string {
  if (text === "") throw new UsageError("name a folder");
  const folder = resolve(text);
  let above = folder;
  while (!existsSync(above) && above !== dirname(above)) above = dirname(above);
  if (!statSync(above).isDirectory()) throw new UsageError(`${above} is a file; name another folder`);
  try {
    accessSync(above, constants.W_OK | constants.X_OK);
  } catch {
    throw new UsageError(`this user may not write in ${above}; name another folder`);
  }
  return folder;
}

/** The text itself, where the setting takes it. */
function takenBy(setting: AnySetting): (text: string) => string {
  return (text) => {
    let value: unknown;
    try {
      value = setting.parse(text);
    } catch {
      value = undefined;
    }
    if (text !== "" && value !== undefined) return text;
    throw new ConfigError(`${JSON.stringify(text)} is not valid; write it like ${howToWrite(setting)}`);
  };
}
