/** @jsxImportSource @kitajs/html */
import browserApp from "../../../docs/samples/browser-app/app.js" with { type: "text" };
import browserPage from "../../../docs/samples/browser-app/index.html" with { type: "text" };
import graphqlSse from "../../../docs/samples/graphql-sse-resume/resume.js" with { type: "text" };
import jobsPage from "../../../docs/samples/jobs-widget/index.html" with { type: "text" };
import jobsScript from "../../../docs/samples/jobs-widget/jobs.js" with { type: "text" };
import serverLogin from "../../../docs/samples/server-login/server.js" with { type: "text" };
import webhookReceiver from "../../../docs/samples/webhook-receiver/receiver.js" with { type: "text" };
import { escapeHtml } from "@kitajs/html";
import { Code, docsPage, SectionHeading } from "./frame.tsx";

/** The samples of docs/samples, each under the anchor that links to it have. */
const SAMPLES: readonly { name: string; shows: string; files: Readonly<Record<string, unknown>> }[] = [
  {
    name: "browser-app",
    shows: "A page without a server: sign in with PKCE, read the feed, publish, refresh, sign out.",
    files: { "index.html": browserPage, "app.js": browserApp },
  },
  {
    name: "server-login",
    shows: "A server for Node or Bun that signs people in with openid-client 6 and reads the feed as them.",
    files: { "server.js": serverLogin },
  },
  {
    name: "webhook-receiver",
    shows: "A server for Node or Bun that verifies signed events, answers at once and drops duplicates.",
    files: { "receiver.js": webhookReceiver },
  },
  {
    name: "jobs-widget",
    shows: "The newest jobs on any site, from the public feed, without a token.",
    files: { "index.html": jobsPage, "jobs.js": jobsScript },
  },
  {
    name: "graphql-sse-resume",
    shows: "A GraphQL subscription that prints each post once, whatever its connection does.",
    files: { "resume.js": graphqlSse },
  },
];

/** The page /docs/samples: every file of every sample, to copy. */
export function renderSamples(community: string): string {
  const main = SAMPLES.map(({ name, shows, files }) => (
    <section aria-labelledby={name}>
      <SectionHeading id={name} title={name} />
      <div class="guide">
        <p safe>{shows}</p>
      </div>
      {Object.entries(files).map(([file, text]) => (
        <Code title={file} text={String(text).trim()} />
      ))}
    </section>
  ));
  return docsPage(
    {
      path: "/docs/samples",
      title: "Samples",
      summary: "Programs to start from. Each is a few files without a build step.",
      contents: SAMPLES.map(({ name }) => ({ id: name, html: escapeHtml(name) })),
      main: main.join(""),
    },
    community,
  );
}
