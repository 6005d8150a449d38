import { Agent } from "node:https";
import { rootCertificates } from "node:tls";
import { MINUTE, SECOND } from "../../core/base/clock.ts";
import type { Certificate } from "../../http/server.ts";

/** Where certificates come from by themselves (RFC 8555). */
export interface CertificateAuthority {
  /** Told of faults by the authority. */
  readonly contact: string;
  readonly directory: string;
  /** PEM of who vouches for the directory itself, beside the system's own. */
  readonly ca: string | undefined;
}

/**
 * How the library goes on after a request that failed, in seconds; what is longer away has our own back-off.
 */
const RETRIES = { retryMaxAttempts: 2, retryDefaultDelay: 5 };
/** The library has none of its own. */
const REQUEST_MS = 30 * SECOND;
/** An order that hangs for longer is given up: the next one begins anew. */
const ORDER_MS = 10 * MINUTE;

/**
 * A certificate for this name, by http-01: `offer` has what is asked on port 80 answered until it is called
 * off. An account that is there already is found by its key. Rejects with what the authority said.
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
  let callOff = (): void => {};
  let limit: ReturnType<typeof setTimeout> | undefined;
  const ordering = new Client({ directoryUrl: directory, accountKey }).auto({
    csr,
    email: contact,
    termsOfServiceAgreed: true,
    challengePriority: ["http-01"],
    // This machine may not reach itself by its public name; the authority's look is the one that counts.
    skipChallengeVerification: true,
    async challengeCreateFn(_, { type, token }, answer) {
      if (type !== "http-01")
        throw new Error(`The certificate authority offers no http-01 challenge for ${host}.`);
      callOff = offer(token, answer);
    },
    challengeRemoveFn: async () => callOff(),
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
    callOff();
  }
}

export async function createAccountKey(): Promise<string> {
  const { crypto } = await library();
  return (await crypto.createPrivateEcdsaKey()).toString();
}

/** A megabyte of others' work that nobody needs who has no certificate of its making. */
async function library(): Promise<typeof import("acme-client")> {
  await import("reflect-metadata");
  return import("acme-client");
}
