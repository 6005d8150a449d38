import ipaddr from "ipaddr.js";
import { type CheckResult, note, ok, warning } from "../../core/services/checkup/checkup.ts";
import type { CheckContext } from "./context.ts";

/** IP address at which cloud providers serve a machine's credentials. */
const METADATA = ipaddr.parse("169.254.169.254");

/** Checks which non-public addresses webhooks may reach (docs/contract.md#11.7). */
export function checkWebhooks({ config: { webhookAllow } }: CheckContext): CheckResult {
  if (webhookAllow.length === 0) return ok("webhook_allow", "Webhooks reach only public addresses.");
  const wide = webhookAllow.filter(holdsMetadata);
  const says = `Webhooks may also reach ${webhookAllow.join(", ")}`;
  if (wide.length === 0) return note("webhook_allow", `${says}.`);
  return warning(
    "webhook_allow",
    `${says}. This includes ${METADATA.toString()} (in ${wide.join(", ")}), where cloud providers serve a machine's keys.`,
    "In GUILDHALL_WEBHOOK_ALLOW, list only the hosts that receive webhooks",
  );
}

function holdsMetadata(entry: string): boolean {
  if (!ipaddr.isValidCIDR(entry)) return entry === METADATA.toString();
  const [network, bits] = ipaddr.parseCIDR(entry);
  return network.kind() === METADATA.kind() && METADATA.match(network, bits);
}
