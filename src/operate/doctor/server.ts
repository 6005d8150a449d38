import { finding, type CheckResult, note, ok, severe, warning } from "../../core/services/checkup/checkup.ts";
import { readAddress } from "../health/address.ts";
import { VERSION } from "../../app/version.ts";
import { isAnswer } from "./network.ts";
import type { CheckContext } from "./context.ts";
import { serverMetrics } from "./server-metrics.ts";

/**
 * If the server uses more than this share of the open-file limit, the doctor warns. Above `TOO_MANY`, the
 * finding is severe.
 */
const MANY = 0.75;
const TOO_MANY = 0.9;
/**
 * Open-file limit that is enough for any server. Each connection uses one file descriptor. The default limit
 * of a shell is too low for a few streams and browsers.
 */
const FILES_ENOUGH = 4096;

/** Checks the responses of the server that holds the folder. */
export async function checkServer(context: CheckContext): Promise<CheckResult> {
  const { config, isServed } = context;
  if (!isServed)
    return note(
      "server",
      `No server runs on ${config.data}.`,
      "systemctl start guildhall (or guildhall serve)",
    );
  const url = readAddress(config.data);
  // No finding here: `checkLeftovers` reports a missing URL.
  if (url === undefined) return undefined;
  return [await readinessOf(context, url), await filesOf(context)];
}

async function readinessOf({ network }: CheckContext, url: string): Promise<CheckResult> {
  // The URL comes from our own data folder, and the certificate is for the public name. So the certificate is
  // not verified.
  const asked = { isVerified: false };
  const ready = await network.get(`${url}/readyz`, asked);
  const got = isAnswer(ready) && ready.status === 404 ? await network.get(`${url}/healthz`, asked) : ready;
  if (!isAnswer(got))
    return severe(
      "server",
      `The server that uses the folder does not answer at ${url}: ${got.reason}.`,
      "Read its log, then restart it: systemctl restart guildhall",
    );
  const status = parseStatus(got.text);
  if (!status)
    return severe(
      "server",
      `The program that answers at ${url} (status ${got.status}) is not a Guildhall server.`,
      "Stop the program that listens there, then restart the server",
    );
  const { version, failing } = status;
  return [
    failing.length > 0
      ? severe(
          "server",
          `The server is not ready: ${failing.join(", ")}.`,
          "See what fails: guildhall health. The other findings and the server's log say why",
        )
      : ok("server", `The server is ready at ${url}.`),
    version !== VERSION &&
      warning(
        "version",
        `The running server is Guildhall ${version}, and this program is ${VERSION}.`,
        "Restart the server: systemctl restart guildhall",
      ),
  ];
}

interface Status {
  version: string;
  failing: readonly string[];
}

/**
 * Parses a status response. Returns undefined if the response is not Guildhall's. Keeps only text that is
 * safe on a terminal.
 */
export function parseStatus(text: string): Status | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof body !== "object" || body === null) return undefined;
  const { status, version, failing } = body as Readonly<Record<string, unknown>>;
  if (typeof status !== "string" || typeof version !== "string" || !/^[\w.+-]{1,40}$/.test(version))
    return undefined;
  const checkNames = Array.isArray(failing) ? failing : [];
  return {
    version,
    failing: checkNames.filter(
      (word): word is string => typeof word === "string" && /^[a-z_]{1,40}$/.test(word),
    ),
  };
}

async function filesOf(context: CheckContext): Promise<CheckResult> {
  const metrics = await serverMetrics(context);
  const [open, max] = [metrics?.get("process_open_fds"), metrics?.get("process_max_fds")];
  if (open === undefined || max === undefined) return undefined;
  const mend =
    "Set LimitNOFILE=65536 in the unit, or run ulimit -n 65536 before serve. Then restart the server";
  const says = `The server has ${open} files open, and its limit is ${max}.`;
  const part = open / max;
  if (part > MANY) return finding("open_files", part > TOO_MANY ? "severe" : "warning", says, mend);
  if (max < FILES_ENOUGH) return note("open_files", says, mend);
  return ok("open_files", says);
}

/** Checks whether this node gave up the lead to another node (docs/contract.md#12.31). */
export function checkLead({ db, config }: CheckContext): CheckResult {
  const position = db?.position();
  if (!position || position.fencedBy === null) return undefined;
  return severe(
    "lead",
    `Another node leads this community in epoch ${position.fencedBy}. ${config.data} stopped at version ${position.epoch}.${position.commits} and refuses writes.`,
    "Stop this server, run guildhall demote, then guildhall serve --follow URL. If no other node leads: guildhall promote",
  );
}
