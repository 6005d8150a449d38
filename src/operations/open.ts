import type { Static, TSchema } from "@sinclair/typebox";
import { CommunityView, getCommunity } from "../core/services/community-settings/community.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import type { Core } from "../core/base/core.ts";
import type { ReadOperation } from "./operation.ts";

/**
 * A read operation that needs no token and no scope (docs/contract.md#11.3). `caller` is undefined without a
 * valid token.
 */
export interface OpenOperation extends Omit<ReadOperation, "scope" | "orScopes" | "param" | "run"> {
  run(request: { core: Core; caller: Caller | undefined }): unknown;
}

/** Infers the result type from the view, as `read` does. */
function open<View extends TSchema>(
  op: Omit<OpenOperation, "kind" | "view" | "run"> & {
    view: View;
    run(request: { core: Core; caller: Caller | undefined }): Static<View>;
  },
): OpenOperation {
  return { kind: "read", ...op };
}

export const OPEN: readonly OpenOperation[] = [
  open({
    id: "getCommunity",
    group: "Community",
    route: "GET /community",
    summary: "Retrieve the community",
    description:
      "Returns the name, rules, sign-up policy, and size of the community. Requires no token. If only members can read the community, `counts` is `null` without a token.",
    view: CommunityView,
    responseDescription: "The community",
    run: ({ core, caller }) => getCommunity(core, caller),
  }),
];
