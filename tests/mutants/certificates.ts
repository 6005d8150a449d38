import type { Fault } from "./fault.ts";

/**
 * Faults in the choice, expiry and renewal of certificates, the redirect of plain HTTP, and file modes of
 * keys.
 */
export const CERTIFICATES: readonly Fault[] = [
  {
    file: "operate/tls/certificate.ts",
    text: "return certificateIn(cert)?.checkPrivateKey(own) ? undefined",
    fault: "return certificateIn(cert) ? undefined",
    tests: ["operate/tls/files"],
    why: "a certificate is served with the key of another one",
  },
  {
    file: "operate/tls/certificate.ts",
    text: "return found !== undefined;",
    fault: "return found !== undefined || true;",
    tests: ["operate/tls/files"],
    why: "a certificate for another host name is served",
  },
  {
    file: "operate/tls/certificate.ts",
    text: "if (now > until)",
    fault: "if (now > 2 * until)",
    tests: ["operate/tls/files"],
    why: "the server starts with an expired certificate",
  },
  {
    file: "operate/tls/files.ts",
    text: "if (message !== logged)",
    fault: "if (message !== '')",
    tests: ["operate/tls/files"],
    why: "half-renewed files log the same message again and again",
  },
  {
    file: "operate/tls/renewal.ts",
    text: "return until - life * REMAINING_PART - life * JITTER_PART * chance();",
    fault: "return until - life * JITTER_PART * chance();",
    tests: ["operate/tls/renewal"],
    why: "a certificate is renewed only after it expired",
  },
  {
    file: "operate/tls/renewal.ts",
    text: "return () => void answers.delete(token);",
    fault: "return () => {};",
    tests: ["operate/tls/renewal"],
    why: "a challenge is still answered after its order has ended",
  },
  {
    file: "operate/tls/renewal.ts",
    text: "running ??= renew()",
    fault: "running = renew()",
    tests: ["operate/tls/renewal"],
    why: "two orders run at the same time",
  },
  {
    file: "operate/tls/renewal.ts",
    text: "chmodSync(fresh, 0o600);",
    fault: "chmodSync(fresh, 0o644);",
    tests: ["operate/tls/renewal"],
    why: "every user of the machine can read the private key",
  },
  {
    file: "http/redirects.ts",
    text: '!isRead || request.headers.has("authorization")',
    fault: "!isRead",
    tests: ["http/redirects"],
    why: "a token sent over plain HTTP is redirected instead of refused",
  },
  {
    file: "http/redirects.ts",
    text: "return response === undefined\n        ? textResponse(404,",
    fault: "return response === undefined && path === CHALLENGES\n        ? textResponse(404,",
    tests: ["http/redirects"],
    why: "an unknown challenge is answered",
  },
  {
    file: "http/server.ts",
    text: "const limit = setTimeout(() => void old.stop(true), drainMs);",
    fault: "const limit = setTimeout(() => {}, drainMs);",
    tests: ["http/certificates"],
    why: "a connection with a replaced certificate is never closed",
  },
  {
    file: "http/server.ts",
    text: "    createSecureContext(certificate);\n",
    fault: "",
    tests: ["http/certificates"],
    why: "a certificate without a matching key stops the listener",
  },
];
