import { finding, type CheckResult, note, ok, severe, warning } from "../../core/services/checkup/checkup.ts";
import { readAddress } from "../health/address.ts";
import { VERSION } from "../../app/version.ts";
import { isAnswer } from "./network.ts";
import type { CheckContext } from "./context.ts";
import { serverMetrics } from "./server-metrics.ts";

/** How much of the files that it may open a server may have open. */
const MANY = 0.75;
const TOO_MANY = 0.9;
/** Each connection is one. What a shell gives is less than a few streams and browsers want. */
const FILES_ENOUGH = 4096;

/** How the server that holds the folder is, by its own answers. */
export async function checkServer(context: CheckContext): Promise<CheckResult> {
  const { config, isServed } = context;
  if (!isServed)
    return note(
      "server",
      `no server runs on ${config.data}`,
      "guildhall serve, or systemctl start guildhall",
    );
  const url = readAddress(config.data);
  // `checkLeftovers` reports that it is missing.
  if (url === undefined) return undefined;
  return [await readinessOf(context, url), await filesOf(context)];
}

async function readinessOf({ network }: CheckContext, url: string): Promise<CheckResult> {
  // The certificate is for the name by which others know it, and the address is from our own folder.
  const asked = { isVerified: false };
  const ready = await network.get(`${url}/readyz`, asked);
  const got = isAnswer(ready) && ready.status === 404 ? await network.get(`${url}/healthz`, asked) : ready;
  if (!isAnswer(got))
    return severe(
      "server",
      `the server that holds the folder does not answer at ${url}: ${got.says}`,
      "guildhall health; then look into its log and start it anew (systemctl restart guildhall)",
    );
  const status = parseStatus(got.text);
  if (!status)
    return severe(
      "server",
      `what answers at ${url} (${got.status}) is no Guildhall`,
      "stop what listens there, and start the server anew",
    );
  const { version, failing } = status;
  return [
    failing.length > 0
      ? severe(
          "server",
          `the server is not ready: ${failing.join(", ")}`,
          "guildhall health says what fails; the findings here, and its log, say why",
        )
      : ok("server", `the server answers at ${url} that it is well`),
    version !== VERSION &&
      warning(
        "version",
        `the server that runs is Guildhall ${version}, and this program is ${VERSION}`,
        "start the server anew (systemctl restart guildhall)",
      ),
  ];
}

interface Status {
  version: string;
  failing: readonly string[];
}

/** Undefined where it is none of a Guildhall. Only what is safe on a line of a terminal. */
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
  const words = Array.isArray(failing) ? failing : [];
  return {
    version,
    failing: words.filter((word): word is string => typeof word === "string" && /^[a-z_]{1,40}$/.test(word)),
  };
}

async function filesOf(context: CheckContext): Promise<CheckResult> {
  const metrics = await serverMetrics(context);
  const [open, max] = [metrics?.get("process_open_fds"), metrics?.get("process_max_fds")];
  if (open === undefined || max === undefined) return undefined;
  const mend = "LimitNOFILE=65536 in the unit, or ulimit -n 65536 before serve; then start the server anew";
  const says = `the server has ${open} of the ${max} files open that it may have`;
  const part = open / max;
  if (part > MANY) return finding("open_files", part > TOO_MANY ? "severe" : "warning", says, mend);
  if (max < FILES_ENOUGH) return note("open_files", says, mend);
  return ok("open_files", says);
}

/** Whether the database was given up for another node's (docs/contract.md#12.31). */
export function checkLead({ db, config }: CheckContext): CheckResult {
  const position = db?.position();
  if (!position || position.fencedBy === null) return undefined;
  return severe(
    "lead",
    `another node leads this community by epoch ${position.fencedBy}: ${config.data} was given up at version ${position.epoch}.${position.commits}, and nothing is written to it`,
    "stop this server, guildhall demote, then guildhall serve --follow ADDRESS; where no other node leads, guildhall promote",
  );
}
