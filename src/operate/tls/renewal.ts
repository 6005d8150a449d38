import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HOUR, MINUTE } from "../../core/base/clock.ts";
import type { Random } from "../../core/base/random.ts";
import type { Certificate } from "../../http/server.ts";
import { type CertificateAuthority, createAccountKey, orderCertificate } from "./acme.ts";
import { faultOf, isoDay, validityOf, mismatchOf } from "./certificate.ts";
import { readPem } from "./files.ts";
import { type CertificateRenewal, type RenewingParts, logExpiry } from "./renewing.ts";
import { createTemporaryCertificate } from "./temporary-certificate.ts";

/** Folder with issued certificates and the account key, `DATA/tls`. Only the server's user can read it. */
export interface CertificateFolder {
  readonly path: string;
  readonly authority: CertificateAuthority;
}

export interface RenewalParts extends RenewingParts {
  readonly random: Pick<Random, "bytes">;
  /** Same as `orderCertificate`. */
  readonly order: typeof orderCertificate;
}

/** Let's Encrypt asks clients to renew when a third of the lifetime is left. */
const REMAINING_PART = 1 / 3;
/** Random part of the lifetime, so that certificates issued together are not renewed together. */
const JITTER_PART = 1 / 30;
/**
 * Delays after the first failure, the second and so on. Authorities limit failures: Let's Encrypt allows five
 * failures an hour.
 */
const RETRIES_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR] as const;
/** Longest delay while browsers refuse the current certificate. */
const URGENT_MS = HOUR;

/**
 * Returns the last issued certificate if it is for this host. Otherwise returns a temporary certificate,
 * which only serves to open the port. An expired certificate still identifies the server better than a
 * temporary one.
 */
export async function lastIssued(folder: CertificateFolder, host: string, now: number): Promise<Certificate> {
  const given = readStored(folder, host);
  return given !== undefined && mismatchOf(given, host) === undefined
    ? given
    : createTemporaryCertificate(host, now);
}

/**
 * Renews the authority's certificate in time, at a slightly random moment. A failure is logged and retried
 * with growing delays, and stops nothing else (docs/threats.md#M17).
 */
export function renewFromAuthority(
  folder: CertificateFolder,
  shown: Certificate,
  parts: RenewalParts,
): CertificateRenewal {
  const { host, clock, log, useCertificate, random, order } = parts;
  const logCertificateExpiry = logExpiry(parts);
  const answers = new Map<string, string>();
  let now = shown;
  let failures = 0;
  let dueAt = renewAt(now);
  let running: Promise<void> | undefined;
  return { shown: () => now, renewIfDue, answer: (token) => answers.get(token), stop: () => answers.clear() };

  async function renewIfDue(isRequested = false): Promise<void> {
    // After a failure, a renewal is due when the operator requests it, because the cause of the failure is
    // probably fixed now.
    const isDue = clock.now() >= dueAt || (isRequested && failures > 0);
    if (isDue) running ??= renew().finally(() => (running = undefined));
    await running;
  }

  async function renew(): Promise<void> {
    try {
      const next = await order(folder.authority, await accountKey(folder), host, offer);
      const fault = faultOf(next, host, clock.now());
      if (fault !== undefined) throw new Error(`the certificate from the authority cannot be used: ${fault}`);
      useCertificate(next);
      now = next;
      failures = 0;
      dueAt = renewAt(now);
      log.info({ until: isoDay(validityOf(now).until), renewal: isoDay(dueAt) }, "new certificate loaded");
      keep(next);
    } catch (error) {
      const waitMs = retryIn(failures++);
      dueAt = clock.now() + waitMs;
      const reason = error instanceof Error ? error.message : String(error);
      log.error({ reason, failures, again: isoDay(dueAt) }, "could not get a certificate, will retry");
      logCertificateExpiry(now);
    }
  }

  /**
   * Stores the certificate. Ignores a full disk: the certificate remains in use, and the next start orders a
   * new one.
   */
  function keep(certificate: Certificate): void {
    try {
      writeOwn(folder, fileOf(folder, host), certificate.key + certificate.cert);
    } catch (err) {
      log.error({ err }, "could not save the certificate, the next start orders another");
    }
  }

  function offer(token: string, answer: string): () => void {
    answers.set(token, answer);
    return () => void answers.delete(token);
  }

  /** Returns when to renew the certificate. Returns the current time if browsers do not trust it. */
  function renewAt(certificate: Certificate): number {
    if (faultOf(certificate, host, clock.now()) !== undefined) return clock.now();
    const { from, until } = validityOf(certificate);
    const life = until - from;
    return until - life * REMAINING_PART - life * JITTER_PART * chance();
  }

  function retryIn(before: number): number {
    const step = RETRIES_MS[Math.min(before, RETRIES_MS.length - 1)] ?? URGENT_MS;
    const isUrgent = faultOf(now, host, clock.now()) !== undefined;
    return Math.round((isUrgent ? Math.min(step, URGENT_MS) : step) * (1 + chance() / 4));
  }

  function chance(): number {
    return (random.bytes(1)[0] ?? 0) / 256;
  }
}

async function accountKey(folder: CertificateFolder): Promise<string> {
  const file = join(folderOf(folder), "account.pem");
  if (existsSync(file)) return readFileSync(file, "utf8");
  const key = await createAccountKey();
  writeOwn(folder, file, key);
  return key;
}

function readStored(folder: CertificateFolder, host: string): Certificate | undefined {
  const file = fileOf(folder, host);
  if (!existsSync(file)) return undefined;
  const text = readPem("certificate", file);
  const at = text.indexOf("-----BEGIN CERTIFICATE-----");
  return at < 0 ? undefined : { key: text.slice(0, at), cert: text.slice(at) };
}

/** Key and certificate share a file, so that both are replaced together. */
function fileOf(folder: CertificateFolder, host: string): string {
  return join(folderOf(folder), `${host}.pem`);
}

/** One folder per directory, so that certificates of a test directory are not used with the real one. */
function folderOf({ path, authority }: CertificateFolder): string {
  const { hostname } = new URL(authority.directory);
  const hash = createHash("sha256").update(authority.directory).digest("hex").slice(0, 8);
  return join(path, `${hostname}-${hash}`);
}

function writeOwn(folder: CertificateFolder, file: string, text: string): void {
  mkdirSync(folderOf(folder), { recursive: true, mode: 0o700 });
  const fresh = `${file}.new`;
  writeFileSync(fresh, text, { mode: 0o600, flush: true });
  chmodSync(fresh, 0o600);
  renameSync(fresh, file);
}
