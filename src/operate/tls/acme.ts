import { Agent } from "node:https";
import { rootCertificates } from "node:tls";
import { MINUTE, SECOND } from "../../core/base/clock.ts";
import type { Certificate } from "../../http/server.ts";

/** An ACME authority, which issues certificates automatically (RFC 8555). */
export interface CertificateAuthority {
  /** Email address that the authority notifies of problems. */
  readonly contact: string;
  readonly directory: string;
  /** PEM of a CA that is trusted for the directory, in addition to the system's CAs. */
  readonly ca: string | undefined;
}

/**
 * Retries of the library after a failed request, with delays in seconds. After longer outages, the delays in
 * renewal.ts apply.
 */
const RETRIES = { retryMaxAttempts: 2, retryDefaultDelay: 5 };
/** Timeout of a request. The library itself has none. */
const REQUEST_MS = 30 * SECOND;
/**
 * Longest duration of an order, in ms. An order that takes longer is abandoned, and the next order starts
 * from the beginning.
 */
const ORDER_MS = 10 * MINUTE;

/**
 * Orders a certificate for this host, by http-01. `offer` publishes the response to a challenge on port 80,
 * and returns a function that removes it. An existing account is found by its key. Rejects with the
 * authority's error.
 */
export async function orderCertificate(
  { contact, directory, ca }: CertificateAuthority,
  accountKey: string,
  host: string,
  offer: (token: string, answer: string) => () => void,
): Promise<Certificate> {
  const { axios, Client, crypto } = await library();
  Object.assign(axios.defaults, { timeout: REQUEST_MS, acmeSettings: RETRIES });
  if (ca !== undefined) axios.defaults.httpsAgent = new Agent({ ca: [...rootCertificates, ca] });
  const [key, csr] = await crypto.createCsr({ altNames: [host] }, await crypto.createPrivateEcdsaKey());
  let removeChallenge = (): void => {};
  let limit: ReturnType<typeof setTimeout> | undefined;
  const ordering = new Client({ directoryUrl: directory, accountKey }).auto({
    csr,
    email: contact,
    termsOfServiceAgreed: true,
    challengePriority: ["http-01"],
    // The library must not request the challenge itself, because some machines cannot reach themselves by
    // their public name. Only the authority's own check counts.
    skipChallengeVerification: true,
    async challengeCreateFn(_, { type, token }, answer) {
      if (type !== "http-01")
        throw new Error(`The certificate authority offers no http-01 challenge for ${host}.`);
      removeChallenge = offer(token, answer);
    },
    challengeRemoveFn: async () => removeChallenge(),
  });
  const late = new Promise<never>((_, reject) => {
    limit = setTimeout(
      () => reject(new Error("The certificate authority did not finish within ten minutes.")),
      ORDER_MS,
    );
  });
  try {
    return { cert: await Promise.race([ordering, late]), key: key.toString() };
  } finally {
    clearTimeout(limit);
    removeChallenge();
  }
}

export async function createAccountKey(): Promise<string> {
  const { crypto } = await library();
  return (await crypto.createPrivateEcdsaKey()).toString();
}

/** Loaded on demand. The library takes a megabyte and is needed only for ACME certificates. */
async function library(): Promise<typeof import("acme-client")> {
  await import("reflect-metadata");
  return import("acme-client");
}
