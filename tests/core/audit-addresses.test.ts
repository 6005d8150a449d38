// Tests docs/contract.md#12.41 and docs/threats.md#M55: network addresses end with the retention of the log.
import { expect, test } from "bun:test";
import { DAY } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { listAudit, record } from "../../src/core/identity/audit/audit.ts";
import { partsOf } from "../../src/core/services/transfer/exporting.ts";
import { createTestWorld } from "../support.ts";
import { createSignedInMember } from "./people.ts";

test("nobody sees an address past the retention of the log, even before the cleanup", async () => {
  using world = createTestWorld({ policy: { signup: "open", retentionAuditMs: 7 * DAY } });
  const { core, clock } = world;
  const { caller } = await createSignedInMember(core, "ada");
  const { builderId } = caller;
  core.db.transact(() =>
    record(core, {
      act: "session.opened",
      actor: builderId,
      subject: builderId,
      detail: { means: "password" },
      address: "192.0.2.7",
    }),
  );
  const seen = () => ({
    operator: listAudit(core, OPERATOR, { of: "all" }, { limit: 50 }).nodes.some(isThere),
    member: listAudit(core, caller, { of: "mine" }, { limit: 50 }).nodes.some(isThere),
    ...(Object.fromEntries(
      [undefined, builderId].map((whose) => {
        const parts = partsOf(core, { at: clock.now(), builderId: whose });
        let text = "";
        for (const { name, lines } of parts)
          for (const line of lines) if (name === "audit_entries") text += JSON.stringify(line);
        return [whose === undefined ? "export" : "own data", text.includes("192.0.2.7")];
      }),
    ) as { export: boolean; "own data": boolean }),
  });
  const isThere = ({ address }: { address: string | null }) => address === "192.0.2.7";

  expect(seen()).toEqual({ operator: true, member: true, export: true, "own data": true });
  clock.pass(7 * DAY + 1);
  expect(seen()).toEqual({ operator: false, member: false, export: false, "own data": false });
});
