import { lastWriteOf } from "../../core/services/checkup/last-write.ts";
import { finding, type CheckResult, note, ok, warning } from "../../core/services/checkup/checkup.ts";
import { MINUTE, SECOND } from "../../core/base/clock.ts";
import { isAnswer } from "./network.ts";
import type { CheckContext } from "./context.ts";
import { formatDuration, formatTime } from "./format.ts";

/**
 * Smallest reported difference between two clocks, in ms. Smaller differences are uncertain, because a `Date`
 * header has whole seconds and arrives with a delay.
 */
const NOTICED_MS = 5 * SECOND;
/**
 * If two clocks differ by more than this time, in ms, the finding is severe. Receivers then refuse webhook
 * signatures as too old or too new. Codes of authenticator apps and passkeys are refused too.
 */
const SEVERE_MS = 5 * MINUTE;

/** Checks the machine's clock against all available sources. */
export async function checkClock(context: CheckContext): Promise<CheckResult> {
  const isSynchronised = await context.network.isSynchronised();
  const mend = isSynchronised ? "Check again in a minute: guildhall doctor" : "timedatectl set-ntp true";
  return [
    againstLastWrite(context, mend),
    await againstOthers(context, mend),
    isSynchronised === false &&
      warning("clock_synchronised", "The system's clock is not synchronized.", "timedatectl set-ntp true"),
    isSynchronised && ok("clock_synchronised", "The system's clock is synchronized."),
  ];
}

function againstLastWrite({ db, now }: CheckContext, mend: string): CheckResult {
  if (!db) return undefined;
  const { last, aheadMs } = lastWriteOf(db);
  const behindMs = (last ?? 0) - now();
  return [
    last !== undefined && behindMs > NOTICED_MS
      ? finding(
          "clock",
          behindMs > SEVERE_MS ? "severe" : "warning",
          `This machine's clock is ${formatDuration(behindMs)} behind the newest entry in the database (${formatTime(last)}). The clock was set back, or was ahead when the entry was written.`,
          mend,
        )
      : ok("clock", "No entry in the database is newer than this machine's clock."),
    Math.abs(aheadMs) > MINUTE &&
      note(
        "clock_set",
        `The clock was set ${aheadMs > 0 ? "back" : "ahead"} by ${formatDuration(Math.abs(aheadMs))} while the server ran. Scheduled work was not affected.`,
      ),
  ];
}

/** Compares the clock with servers that the settings already name, including other nodes. */
async function againstOthers({ config, network, now }: CheckContext, mend: string): Promise<CheckResult> {
  const isBucket = config.backup?.startsWith("s3://") === true;
  const directory =
    config.tls && "folder" in config.tls.source && config.tls.source.folder.authority.directory;
  const nodes = [...new Set([...config.follow, ...config.peers])].map((node) => `${node}/healthz`);
  const addresses = [isBucket && config.s3Endpoint, directory, ...nodes].filter(
    (each) => typeof each === "string",
  );
  return Promise.all(
    addresses.map(async (address): Promise<CheckResult> => {
      const sentAt = now();
      const answer = await network.get(address);
      if (!isAnswer(answer) || answer.date === undefined) return undefined;
      const late = now();
      // The other server set `Date` between `sentAt` and `late`, and truncated it to the second.
      const offMs = Math.max(0, sentAt - SECOND - answer.date, answer.date - late);
      const { host } = new URL(address);
      if (offMs < NOTICED_MS) return ok("clock_outside", `The clock agrees with ${host}.`);
      return finding(
        "clock_outside",
        offMs > SEVERE_MS ? "severe" : "warning",
        `This machine's clock is ${formatDuration(offMs)} ${answer.date > late ? "behind" : "ahead of"} the clock of ${host}.`,
        mend,
      );
    }),
  );
}
