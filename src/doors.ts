import type { Config } from "./config.ts";
import type { Core } from "./core/ground/core.ts";
import { graphqlDoor } from "./graphql/door.ts";
import { hasGraphiql } from "./graphql/rules.ts";
import { createListeners } from "./http/listeners.ts";
import type { HttpMetrics } from "./http/metrics.ts";
import type { Door } from "./http/preflight.ts";
import { createOAuth, type OAuth } from "./oauth/oauth.ts";
import { healthDoor, metricsDoor } from "./ops/ops.ts";
import { restDoor } from "./rest/app.ts";
import { referenceDoor } from "./rest/reference.tsx";
import { pageRefusal, personOf, problemPage, webDoor } from "./web/app.tsx";
import type { Links } from "./web/parts/layout.tsx";
import { pagesOf } from "./web/pages/index.ts";

/** All ways in. The first whose prefix fits takes a request, and the pages take what is left. */
export function doorsOf(
  core: Core,
  config: Config,
  metrics: HttpMetrics,
  version: string,
  oauth: OAuth = oauthOf(core, config),
): readonly Door[] {
  // Who listens is counted over both ways to listen.
  const listeners = createListeners(core);
  return [
    ...oauth.doors,
    restDoor(core, version, listeners),
    { ...referenceDoor(core.origin, version), refuse: pageRefusal(core, linksOf(config)) },
    graphqlDoor(core, config.graphql, listeners),
    healthDoor(version),
    metricsDoor(metrics, config.metricsToken),
    webDoor(core, linksOf(config), pagesOf(oauth.interactions)),
  ];
}

/** The OAuth server, which knows of the site only who has signed in there. */
export function oauthOf(core: Core, config: Config): OAuth {
  return createOAuth(core, {
    personOf(visit) {
      const person = personOf(core, visit);
      return person && { builderId: person.caller.builderId, signedInAt: person.signedInAt };
    },
    refusePage: pageRefusal(core, linksOf(config)),
    problemPage: (visit, status, problem) => problemPage(core, linksOf(config), visit, status, problem),
  });
}

/** Which of the other doors the pages lead to. */
function linksOf(config: Config): Links {
  return { graphiql: hasGraphiql(config.graphql) };
}
