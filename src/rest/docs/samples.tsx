/** @jsxImportSource @kitajs/html */
import browserApp from "../../../docs/samples/browser-app/app.js" with { type: "text" };
import browserPage from "../../../docs/samples/browser-app/index.html" with { type: "text" };
import graphqlSse from "../../../docs/samples/graphql-sse-resume/resume.js" with { type: "text" };
import oauthGuide from "../../../docs/oauth.md" with { type: "text" };
import jobsPage from "../../../docs/samples/jobs-widget/index.html" with { type: "text" };
import jobsScript from "../../../docs/samples/jobs-widget/jobs.js" with { type: "text" };
import serverLogin from "../../../docs/samples/server-login/server.js" with { type: "text" };
import webhookReceiver from "../../../docs/samples/webhook-receiver/receiver.js" with { type: "text" };
import { escapeHtml } from "@kitajs/html";
import { Code, docsPage, SectionHeading, type DocsCommunity } from "./frame.tsx";

/** The files of each sample in docs/samples, by folder name. */
const FILES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "browser-app": { "index.html": browserPage, "app.js": browserApp },
  "server-login": { "server.js": serverLogin },
  "webhook-receiver": { "receiver.js": webhookReceiver },
  "jobs-widget": { "index.html": jobsPage, "jobs.js": jobsScript },
  "graphql-sse-resume": { "resume.js": graphqlSse },
};

/** The samples, with the order and descriptions of the table in docs/oauth.md. */
const SAMPLES = [...oauthGuide.matchAll(/^\| \[([\w-]+)\]\(samples\/[\w-]+\/\)\s*\| (.+?)\s*\|$/gm)].map(
  ([, name = "", purpose = ""]) => ({
    name,
    shows: `${purpose.slice(0, 1).toUpperCase()}${purpose.slice(1)}.`,
    files: FILES[name] ?? {},
  }),
);

/** Renders /docs/samples with all files of all samples. */
export function renderSamples(community: DocsCommunity): string {
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
