import { toFetchResponse } from "fetch-to-node";
import type { Provider } from "oidc-provider";
import type { Core } from "../core/base/core.ts";
import { AlreadyConsumed, commitChanges } from "../core/delegation/oauth/records.ts";
import { refuseInMaintenance } from "../core/identity/maintenance/maintenance.ts";
import { runLibraryCall, type LibraryRequest, toNodeRequest, type LibraryCall } from "./library.ts";

/** The library's response with its complete body. */
export interface LibraryAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Maximum number of times a request is run. A request runs again if it lost a race against another request.
 * The repeated run then sees the data of the other request.
 */
const RUNS_MAX = 3;

/**
 * Calls the library. Then writes all its changes in one transaction, before the response is sent. If another
 * request used the same code or refresh token first, the changes are discarded. The library is then called
 * again and detects a replay. Throws unavailable if maintenance mode began meanwhile.
 */
export async function callLibrary(
  core: Core,
  getProvider: () => Promise<Provider>,
  createCall: () => LibraryCall,
  request: LibraryRequest,
): Promise<{ answer: LibraryAnswer; work: LibraryCall }> {
  const provider = await getProvider();
  for (let run = 1; ; run++) {
    const work = createCall();
    const answer = await runLibraryCall(work, () => call(core, provider, request));
    afterwards(work, answer);
    try {
      if (work.changes.length > 0) {
        await core.db.write(() => {
          refuseInMaintenance(core, undefined);
          commitChanges(core, work.changes);
        });
      }
      return { answer, work };
    } catch (error) {
      if (!(error instanceof AlreadyConsumed) || run === RUNS_MAX) throw error;
    }
  }
}

/**
 * Adds changes after a refused token request. A code that was sent with a wrong parameter is deleted. If a
 * code is used twice, the tokens that were issued for the code end (RFC 9700 §4.5.3).
 */
function afterwards({ endpoint, code, changes }: LibraryCall, { status }: LibraryAnswer): void {
  if (endpoint !== "token" || !code || status !== 400) return;
  if (!code.isConsumed) changes.push({ kind: "drop", model: "AuthorizationCode", id: code.id });
  else if (code.grant && !changes.some(({ kind }) => kind === "end-family"))
    changes.push({ kind: "end-family", grant: code.grant, isReplay: true });
}

async function call(core: Core, provider: Provider, request: LibraryRequest): Promise<LibraryAnswer> {
  const { req, res } = toNodeRequest(core, request);
  const answered = toFetchResponse(res as Parameters<typeof toFetchResponse>[0]);
  await provider.callback()(req, res);
  const response = await answered;
  return { status: response.status, headers: response.headers, text: await response.text() };
}
