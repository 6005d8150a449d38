import { guildhall, serve, type BenchCommunity } from "../server.ts";
import type { PeerRequest, Peer } from "./peer.ts";
import { newPost, TAG } from "./rows.ts";

interface Shown {
  text: string;
  author: { username: string };
}

const POST = "id text tags createdAt author { id username name } metrics { likes replies }";
const FEED = pageOf("first: 20");
const TAGGED = pageOf(`first: 20, tag: "${TAG}"`);

const shown = ({ text, author }: Shown): string => `${author.username}: ${text}`;

export async function startGuildhall(stage: BenchCommunity): Promise<Peer> {
  const { url, pid, ...server } = await serve(guildhall(stage.folder));
  const headers = { authorization: `Bearer ${stage.token}`, accept: "application/json" };
  const texts = (answer: unknown): string[] => (answer as { data: Shown[] }).data.map(shown);
  const reads = (query: string): PeerRequest => {
    const body = JSON.stringify({ query });
    return {
      path: "/graphql",
      headers,
      body: () => body,
      texts: (answer) => {
        const { data } = answer as { data: { feed: { edges: { node: Shown }[] } } };
        return data.feed.edges.map(({ node }) => shown(node));
      },
    };
  };
  return {
    ...server,
    name: "Guildhall",
    url,
    pids: { server: pid },
    requests: {
      feed: { path: "/v1/feed", headers, texts },
      tag: { path: `/v1/feed?tag=${TAG}`, headers, texts },
      graphql: reads(FEED),
      "tag-graphql": reads(TAGGED),
      write: {
        path: "/v1/feed",
        headers,
        body: (count) => JSON.stringify(newPost(count)),
        texts: (answer) => [(answer as { text: string }).text],
      },
    },
  };
}

function pageOf(args: string): string {
  return `{ feed(${args}) { edges { cursor node { ${POST} } } pageInfo { hasNextPage endCursor } } }`;
}
