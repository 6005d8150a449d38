import type { Config } from "./config.ts";
import type { Core } from "./core/ground/core.ts";
import { graphqlDoor } from "./graphql/door.ts";
import { hasGraphiql } from "./graphql/rules.ts";
import { createListeners } from "./http/listeners.ts";
import type { HttpMetrics } from "./http/metrics.ts";
import type { Door } from "./http/door.ts";
import type { Interactions } from "./core/delegation/grants/interaction.ts";
import { createOAuth } from "./oauth/oauth.ts";
import { healthDoor, metricsDoor } from "./ops/ops.ts";
import { restDoor } from "./rest/app.ts";
import { referenceDoor } from "./rest/reference.tsx";
import { createSite } from "./web/app.tsx";
import { pagesOf } from "./web/pages/index.ts";

/**
 * All ways in. The first whose prefix fits takes a request, and the pages take what is left. With them, what the pages see of an app that
 * asks for something.
 */
export function doorsOf(
  core: Core,
  config: Config,
  metrics: HttpMetrics,
  version: string,
): { doors: readonly Door[]; interactions: Interactions } {
  // Who listens is counted over both ways to listen.
  const listeners = createListeners(core);
  const site = createSite(core, { graphiql: hasGraphiql(config.graphql) });
  const oauth = createOAuth(core, {
    // The OAuth server knows of the site only who has signed in there.
    personOf(visit) {
      const person = site.personOf(visit);
      return person && { builderId: person.caller.builderId, signedInAt: person.signedInAt };
    },
    refusePage: site.refusePage,
    problemPage: site.problemPage,
  });
  const doors = [
    ...oauth.doors,
    restDoor(core, version, listeners),
    { ...referenceDoor(core.origin, version), refuse: site.refusePage },
    graphqlDoor(core, config.graphql, listeners),
    healthDoor(version),
    metricsDoor(metrics, config.metricsToken),
    site.door(pagesOf(oauth.interactions)),
  ];
  return { doors, interactions: oauth.interactions };
}
