import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import sysusers from "../../../deploy/guildhall.sysusers" with { type: "text" };
import unit from "../../../deploy/guildhall.service" with { type: "text" };
import { OPERATOR } from "../../core/identity/access/caller.ts";
import { makeSetupLink } from "../../core/identity/accounts/accounts.ts";
import { DataRefused } from "../../app/data-folder.ts";
import { readSettingsFile } from "../../config/file.ts";
import { asToml } from "../../config/show.ts";
import { type AnySetting, keyOf } from "../../config/setting.ts";
import { SETTINGS } from "../../config/table.ts";
import { withCore } from "../with-core.ts";
import { type Machine, type Owner, ownerOf } from "./machine.ts";
import { type Answers, ASKED_SETTINGS, type Settings } from "./questions.ts";

const UNIT = "/etc/systemd/system/guildhall.service";
const SYSUSERS = "/etc/sysusers.d/guildhall.conf";
const HEAD = "# Written by `guildhall setup`. `guildhall settings` lists all settings.\n\n";

/**
 * Writes the settings and creates the community if there is none. On an error, undoes everything. Returns the
 * link for the first admin, or undefined if there is an admin. Throws DataRefused, ConfigError.
 */
export async function writeAll(
  path: string,
  { settings, unit: wantsUnit }: Answers,
  machine: Machine,
  mayReplace: boolean,
): Promise<string | undefined> {
  const undo: (() => void)[] = [];
  const text = settingsText({ ...settings, ...otherSettingsIn(path) });
  const fresh = `${path}.new`;
  try {
    if (wantsUnit) undo.push(...installUnit(machine, mayReplace));
    const owner = wantsUnit || machine.hasUnit ? serviceUser() : undefined;
    undo.push(...makeFolder(dirname(resolve(path)), owner));
    rmSync(fresh, { force: true });
    undo.push(() => rmSync(fresh, { force: true }));
    writeFileSync(fresh, text, { mode: 0o600, flag: "wx", flush: true });
    if (owner) setOwner(fresh, { uid: 0, gid: owner.gid }, 0o640);
    const link = await openCommunity(fresh);
    if (settings.data) mkdirSync(join(settings.data, "backups"), { recursive: true, mode: 0o700 });
    if (owner && settings.data) chownNewFiles(settings.data, owner);
    if (existsSync(path)) copyFileSync(path, `${path}.old`);
    renameSync(fresh, path);
    return link;
  } catch (error) {
    for (const step of undo.toReversed()) step();
    throw error;
  }
}

/** Returns settings of the previous file that no question covers, such as the backup target. */
function otherSettingsIn(path: string): Settings {
  if (!existsSync(path)) return {};
  const { entries } = readSettingsFile(path);
  return Object.fromEntries(
    Object.entries<AnySetting>(SETTINGS)
      .filter(([name]) => !(ASKED_SETTINGS as readonly string[]).includes(name))
      .flatMap(([name, setting]) => {
        const text = entries.get(keyOf(setting))?.text;
        return text === undefined ? [] : [[name, text]];
      }),
  );
}

/** Returns the text of the settings file, with the meaning of each setting above it. */
function settingsText(settings: Settings): string {
  const given = Object.entries<AnySetting>(SETTINGS).flatMap(([name, setting]) => {
    const text = settings[name as keyof Settings];
    return text === undefined ? [] : [{ setting, given: { text, where: "" } }];
  });
  return HEAD + asToml(given, { hasSecrets: true });
}

/** Opens the community with only this file, as every command will. Creates the community if there is none. */
async function openCommunity(file: string): Promise<string | undefined> {
  const environment = { variables: {}, settings: file };
  return withCore(environment, { settings: file, mayCreate: true }, (core) =>
    core.db.write(() => makeSetupLink(core, OPERATOR)?.url),
  );
}

/** Installs the unit for this program, and its user. Returns functions that undo this. */
function installUnit({ program }: Machine, mayReplace: boolean): (() => void)[] {
  const undo: (() => void)[] = [];
  try {
    undo.push(putFile(SYSUSERS, sysusers, mayReplace));
    undo.push(putFile(UNIT, unit.replace(/^ExecStart=\S+/m, `ExecStart=${program}`), mayReplace));
    const result = Bun.spawnSync(["systemd-sysusers", SYSUSERS], { stdout: "ignore", stderr: "pipe" });
    if (result.exitCode !== 0)
      throw new DataRefused(
        `systemd-sysusers could not create the user guildhall: ${result.stderr.toString().trim()}`,
      );
    return undo;
  } catch (error) {
    for (const step of undo.toReversed()) step();
    throw error;
  }
}

/**
 * Writes a file, unless it already has the same content. Returns a function that undoes the write. Throws
 * DataRefused.
 */
export function putFile(file: string, text: string, mayReplace: boolean): () => void {
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  if (before === text) return () => {};
  if (before !== undefined && !mayReplace)
    throw new DataRefused(
      `${file} already exists. Overwrite it with --replace, or skip the unit with --no-unit.`,
    );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o644 });
  return before === undefined ? () => rmSync(file, { force: true }) : () => writeFileSync(file, before);
}

function serviceUser(): Owner {
  const owner = ownerOf("guildhall");
  if (!owner)
    throw new DataRefused("The user guildhall, which the unit runs as, does not exist. Create it first.");
  return owner;
}

/** Creates a missing folder. Returns functions that undo this. */
function makeFolder(folder: string, owner: Owner | undefined): (() => void)[] {
  if (existsSync(folder)) return [];
  try {
    mkdirSync(folder, { recursive: true, mode: 0o750 });
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new DataRefused(`${folder} cannot be created (${reason}). Name another file with --settings.`);
  }
  if (owner) setOwner(folder, { uid: 0, gid: owner.gid }, 0o750);
  return [() => rmSync(folder, { recursive: true, force: true })];
}

/** Gives files that root created in the data folder to the service's user. */
function chownNewFiles(folder: string, owner: Owner): void {
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, String(name));
    if (lstatSync(path).uid === 0 && !lstatSync(path).isSymbolicLink()) chownSync(path, owner.uid, owner.gid);
  }
  chownSync(folder, owner.uid, owner.gid);
}

function setOwner(path: string, owner: Owner, mode: number): void {
  chownSync(path, owner.uid, owner.gid);
  chmodSync(path, mode);
}
