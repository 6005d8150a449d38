/*
 * Prints each new post of the feed. After a lost connection it resumes, and no post is lost or shown twice.
 *
 *   npm install graphql-sse
 *   GUILDHALL_URL=http://127.0.0.1:8787 GUILDHALL_TOKEN=<ACCESS_TOKEN> node resume.js
 *
 * The token needs the scopes `feed:read` and `profile:read`.
 */
import { createClient } from "graphql-sse";

const { GUILDHALL_URL = "http://127.0.0.1:8787", GUILDHALL_TOKEN = "" } = process.env;
const RETRY_FIRST_MS = 250;
const RETRY_LAST_MS = 30_000;

/** The position in the stream: everything up to it is printed. */
let lastEventId;

const client = createClient({
  url: `${GUILDHALL_URL}/graphql`,
  // The client calls this before each connection.
  headers: () => ({
    authorization: `Bearer ${GUILDHALL_TOKEN}`,
    ...(lastEventId && { "last-event-id": lastEventId }),
  }),
  // The response names the position at which the stream starts. An interruption before the first post loses nothing.
  async fetchFn(...request) {
    const answer = await fetch(...request);
    // A retry does not help with these.
    if ([400, 401, 403].includes(answer.status)) {
      console.error(`${answer.status}: ${await answer.text()}`);
      process.exit(1);
    }
    lastEventId = answer.headers.get("last-event-id") ?? lastEventId;
    return answer;
  },
  on: { connected: () => console.error("Connected.") },
  retryAttempts: Infinity,
  retry: (retries) =>
    new Promise((resolve) => setTimeout(resolve, Math.min(RETRY_FIRST_MS * 2 ** retries, RETRY_LAST_MS))),
});

// Use `subscribe`, not `iterate`: the position is updated before the client reconnects.
client.subscribe(
  { query: "subscription { postCreated { text author { username } } }" },
  {
    next({ data, errors, extensions }) {
      if (errors) console.error(errors.map(({ message }) => message).join("\n"));
      if (data) console.log(`${data.postCreated.author.username}: ${data.postCreated.text}`);
      lastEventId = extensions?.eventId ?? lastEventId;
    },
    error(error) {
      console.error(error);
      process.exitCode = 1;
    },
    complete() {
      console.error("The stream is complete: the token is revoked or expired, or the account is suspended.");
    },
  },
);
