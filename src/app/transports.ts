import { registerVersion } from "../core/services/history/overview.ts";
import { usesTransport } from "../cluster/credential-uses.ts";
import type { Config } from "../config/config.ts";
import { type NodeAnswers, nodesTransport } from "../cluster/nodes.ts";
import { createForwardVerifier } from "../cluster/signature.ts";
import type { Core } from "../core/base/core.ts";
import { graphqlTransport } from "../graphql/transport.ts";
import { hasGraphiql } from "../graphql/rules.ts";
import { createListeners } from "../http/listeners.ts";
import type { HttpMetrics } from "../http/metrics.ts";
import type { Transport } from "../http/transport.ts";
import type { Interactions } from "../core/delegation/grants/interaction.ts";
import { createOAuth } from "../oauth/oauth.ts";
import { healthTransport, metricsTransport, readyTransport } from "../operate/health/endpoints.ts";
import type { Readiness } from "../operate/health/readiness.ts";
import { restTransport } from "../rest/app.ts";
import { docsTransport } from "../rest/docs/transport.ts";
import { createSite } from "../web/app.tsx";
import { nodeInfo } from "../web/documents/nodeinfo.ts";
import { DOCUMENTS } from "../web/documents/documents.ts";
import { livePages } from "../web/live.ts";
import { identiconTransport, mediaTransport } from "../web/media.ts";
import { pagesOf } from "../web/pages/index.ts";
import { PRIVATE_FEED } from "../web/pages/channels/private-feed.tsx";

/**
 * Returns all transports. The first transport with a matching prefix answers a request, and the pages answer
 * all others. Also returns the OAuth interactions that the pages show.
 */
export function transportsOf(
  core: Core,
  config: Config,
  metrics: HttpMetrics,
  version: string,
  readiness: Readiness,
  answering?: NodeAnswers,
): { transports: readonly Transport[]; interactions: Interactions } {
  // Listeners are counted over REST and GraphQL together.
  const listeners = createListeners(core);
  metrics.gauges(() => ({ guildhall_streams_open: listeners.count() }));
  registerVersion(core, version);
  const site = createSite(core, { graphiql: hasGraphiql(config.graphql) });
  const oauth = createOAuth(core, {
    // The site tells the OAuth server only who signed in, and when.
    personOf(context) {
      const person = site.personOf(context);
      return person && { builderId: person.caller.builderId, signedInAt: person.signedInAt };
    },
    refusePage: site.refusePage,
    problemPage: site.problemPage,
  });
  const transports = [
    ...oauth.transports,
    restTransport(core, version, listeners),
    { ...docsTransport(core, version), refuse: site.refusePage },
    graphqlTransport(core, config.graphql, listeners),
    usesTransport(core),
    healthTransport(version),
    readyTransport(core, readiness, version),
    metricsTransport(metrics, config),
    ...(answering ? [nodesTransport(core, createForwardVerifier(core), answering)] : []),
    mediaTransport(core, site.personOf),
    identiconTransport(),
    site.transport([
      ...pagesOf(oauth.interactions),
      ...livePages(listeners),
      PRIVATE_FEED,
      ...DOCUMENTS,
      ...nodeInfo(version),
    ]),
  ];
  return { transports, interactions: oauth.interactions };
}
