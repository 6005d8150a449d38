import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { recordTokenUses } from "./core/access/access.ts";
import { forgetOldLinks } from "./core/accounts/links.ts";
import { forgetOldSessions, recordSightings } from "./core/accounts/sessions.ts";
import { forgetOldAudit } from "./core/audit/audit.ts";
import { HOUR, MINUTE, SECOND } from "./core/clock.ts";
import type { Core } from "./core/core.ts";
import { prune } from "./core/deliveries/deliveries.ts";
import { forgetOldGrants } from "./core/grants/grants.ts";
import { dropRemovedPosts } from "./core/feed/removal.ts";
import { forgetOldKeys } from "./core/idempotency/idempotency.ts";
import { expireJobs } from "./core/jobs/board.ts";
import { rotateSigningKeys } from "./core/oauth/keys.ts";
import { forgetOldRecords } from "./core/oauth/records.ts";
import { createAttempt } from "./delivery/attempt.ts";
import { startLoop } from "./delivery/loop.ts";
import { dropRemovedPrompts } from "./core/prompts/removal.ts";
import { getSetting, setSetting } from "./core/settings/settings.ts";
import { dropRemovedWorkspaces } from "./core/workspaces/workspaces.ts";
import { coreOn, DataRefused, type Ground, holdFolder, openGround } from "./ground.ts";
import { doorsOf } from "./doors.ts";
import { createMetrics } from "./http/metrics.ts";
import { createHandler, type Handler } from "./http/preflight.ts";
import { listen } from "./http/server.ts";
import { gaugeDelivery } from "./ops/ops.ts";
import { VERSION } from "./version.ts";

/** A running Guildhall. */
export interface Running {
  url: string;
  core: Core;
  /** Refuses what is new, finishes what runs, writes down what is pending, closes the database. */
  stop(): Promise<void>;
}

/** A lock held by another program never stops the event loop: writes wait for it in their queue. */
const BUSY_MS = 0;
const STOP_WITHIN_MS = 30 * SECOND;

/** Wires it all: data folder → core → doors → port. Throws where the folder or the port can not be used. */
export function start(config: Config, log: Logger): Running {
  const ground = openGround(config, { busyMs: BUSY_MS, mayCreate: true });
  const close = closeOnError(ground.db.close, () => {
    refuseHalfDemo(ground, config);
    const held = holdFolder(config);
    return () => {
      ground.db.close();
      held.release();
    };
  });
  let handler: Handler;
  const listening = closeOnError(close, () => listen(config.host, config.port, () => handler));
  const core = coreOn(ground, config, config.origin ?? listening.url);
  rememberOrigin(core);
  const metrics = createMetrics();
  const doors = doorsOf(core, config, metrics, VERSION);
  handler = createHandler(core, doors, config, log, metrics);
  const attempt = createAttempt({
    targets: core.targets,
    timeoutMs: config.webhookTimeoutMs,
    ca: config.webhookCa,
    userAgent: `Guildhall-Webhooks/${VERSION}`,
  });
  const loop = startLoop(core, attempt, config.retryDelaysMs, log, metrics.answered);
  core.wake = loop.wake;
  gaugeDelivery(metrics, core, loop);
  const chores = startChores(core, config, log);

  return {
    url: listening.url,
    core,
    async stop() {
      for (const door of doors) door.stop?.();
      await listening.stop(STOP_WITHIN_MS);
      chores.stop();
      await loop.stop();
      await recordTokenUses(core).catch((err: unknown) => log.error({ err }, "token uses were not recorded"));
      await recordSightings(core).catch((err: unknown) => log.error({ err }, "sightings were not recorded"));
      close();
    },
  };
}

/** Half a community, left by a demo that was killed, is nobody's. */
function refuseHalfDemo(ground: Ground, { data }: Config): void {
  if (getSetting(ground, "demo-unfinished") === undefined) return;
  throw new DataRefused(`the demo in ${data} was stopped half way; delete that folder and start again`);
}

/** The tools make links too, and are seldom told the address that the server was. */
function rememberOrigin(core: Core): void {
  if (getSetting(core, "origin") !== core.origin)
    core.db.transact(() => setSetting(core, "origin", core.origin));
}

/** What has to be done now and then, beside the requests. A chore that fails is told and tried again next time. */
function startChores(core: Core, config: Config, log: Logger): { stop(): void } {
  const chore = (name: string, everyMs: number, work: (core: Core) => Promise<void>) =>
    setInterval(() => {
      work(core).catch((err: unknown) => log.error({ err, chore: name }, "chore failed"));
    }, everyMs);
  const timers = [
    chore("record token uses", MINUTE, recordTokenUses),
    chore("forget idempotency keys", HOUR, forgetOldKeys),
    chore("record sightings of sessions", MINUTE, recordSightings),
    chore("forget ended sessions", HOUR, forgetOldSessions),
    chore("forget one-time links", HOUR, forgetOldLinks),
    chore("forget old audit entries", HOUR, forgetOldAudit),
    chore("drop removed workspaces", HOUR, dropRemovedWorkspaces),
    chore("forget ended authorizations", HOUR, forgetOldRecords),
    chore("forget revoked grants", HOUR, forgetOldGrants),
    chore("rotate signing keys", HOUR, rotateSigningKeys),
    chore("drop deleted posts", HOUR, dropRemovedPosts),
    chore("drop deleted prompts", HOUR, dropRemovedPrompts),
    chore("take expired jobs off the board", HOUR, expireJobs),
    chore("drop old deliveries", HOUR, (core) => prune(core, config.retentionMs)),
  ];
  return { stop: () => timers.forEach(clearInterval) };
}

function closeOnError<Result>(close: () => void, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    close();
    throw error;
  }
}
