import { SignJWT, importJWK } from "jose";
import { OPERATOR } from "../src/core/identity/access/caller.ts";
import { registerApp, setAppRate } from "../src/core/delegation/apps/apps.ts";
import { insertGrant } from "../src/core/delegation/grants/grants-store.ts";
import { openSigningKeys } from "../src/core/delegation/oauth/keys.ts";
import { fill, guildhall, median, row, serve, type Stage } from "./ground.ts";
import { load } from "./load.ts";

const ROUNDS = 5;
const SECONDS = 3;

/** `/v1/feed` with an app's access token against the same with a personal token; taking turns in one run. */
export async function oauth(): Promise<void> {
  using stage = await fill({ builders: 200, posts: 100_000, jobs: 0, prompts: 0 });
  await using ours = await serve(guildhall(stage.folder));
  const jwt = await accessToken(stage, ours.url);
  const target = (token: string) => ({
    url: `${ours.url}/v1/feed`,
    headers: { authorization: `Bearer ${token}` },
    connections: 16,
  });
  for (const token of [stage.token, jwt]) await load({ ...target(token), seconds: 1 });

  row("round", "personal req/s", "p50 ms", "p99 ms", "app req/s", "p50 ms", "p99 ms", "ratio");
  row("---", "---", "---", "---", "---", "---", "---", "---");
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const a = await load({ ...target(stage.token), seconds: SECONDS });
    const b = await load({ ...target(jwt), seconds: SECONDS });
    if (a.refused + b.refused > 0) throw new Error("an answer was not 200");
    ratios.push(b.perSecond / a.perSecond);
    const cells = [a, b].flatMap(({ perSecond, p50, p99 }) => [
      Math.round(perSecond),
      p50.toFixed(2),
      p99.toFixed(2),
    ]);
    row(round, ...cells, (b.perSecond / a.perSecond).toFixed(2));
  }
  console.log(`\nMedian ratio of an app's token to a personal one: ${median(ratios).toFixed(2)} (aim: 0.90)`);
}

/** What the token endpoint gives, made here: a bench has no browser. */
async function accessToken({ core }: Stage, issuer: string): Promise<string> {
  const builder = core.db
    .prepare<{ id: string; workspaceId: string }>(
      "SELECT b.id, w.id AS workspaceId FROM builders b JOIN workspaces w ON w.owner_id = b.id LIMIT 1",
    )
    .get();
  if (!builder) throw new Error("nobody lives here");
  const { app } = registerApp(core, OPERATOR, builder.workspaceId, {
    name: "bench",
    kind: "public",
    redirectUris: ["https://app.example/cb"],
    scopes: ["feed:read"],
  });
  setAppRate(core, OPERATOR, app.id, { sustained: 10_000_000, burst: 100_000_000 });
  const createdAt = core.clock.now();
  const id = core.makeId("grant", createdAt);
  const [key] = await openSigningKeys(core);
  core.db.transact(() => {
    const { workspaceId } = builder;
    insertGrant(core, {
      id,
      builderId: builder.id,
      appId: app.id,
      workspaceId,
      scopes: "feed:read",
      createdAt,
    });
  });
  if (!key) throw new Error("no key signs");
  return new SignJWT({ scope: "feed:read", client_id: app.id, grant: `${id}.bench` })
    .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", kid: key.kid })
    .setIssuer(issuer)
    .setAudience(`${issuer}/v1`)
    .setSubject(builder.id)
    .setJti("bench")
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(await importJWK({ ...key }, "EdDSA"));
}
