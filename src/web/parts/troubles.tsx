/** @jsxImportSource @kitajs/html */
import { listTroubled, type Troubled } from "../../core/outbox/webhooks/health.ts";
import { Time } from "./parts.tsx";
import type { PageAsk, Person } from "../request/route.ts";

const SHOWN = 3;

/**
 * On every page of somebody whose endpoint fails for a day, or was switched off by itself: until they have
 * looked at it.
 */
export function Troubles({ ask, person }: { ask: PageAsk; person: Person }) {
  const troubled = listTroubled(ask.core, person.caller);
  if (troubled.length === 0) return "";
  const more = troubled.length - SHOWN;
  return (
    <aside class="notice trouble" aria-label="Webhooks that need you">
      {troubled.slice(0, SHOWN).map((endpoint) => (
        <p>
          <Trouble endpoint={endpoint} />{" "}
          <a href={addressOf(endpoint, person)}>
            Look at it<span class="unseen" safe>{`: ${hostOf(endpoint.url)}`}</span>
          </a>
        </p>
      ))}
      {more > 0 ? <p>{more === 1 ? "And one more." : `And ${more} more.`}</p> : ""}
    </aside>
  );
}

function Trouble({ endpoint: { url, health, disabled } }: { endpoint: Troubled }) {
  const name = (
    <strong dir="auto" safe>
      {hostOf(url)}
    </strong>
  );
  return disabled ? (
    <>
      Your webhook endpoint at {name} is off since <Time at={disabled.at} /> UTC.{" "}
      <span safe>{disabled.reason}</span>
    </>
  ) : (
    <>
      Your webhook endpoint at {name} has acknowledged nothing since <Time at={health.failingSince ?? 0} />{" "}
      UTC; after five days it is switched off.
    </>
  );
}

function addressOf({ id, workspaceId }: Troubled, { caller }: Person): string {
  const path = `/settings/webhooks/${id}`;
  return workspaceId === caller.workspaceId ? path : `${path}?workspace=${workspaceId}`;
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
