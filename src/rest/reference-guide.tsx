/** @jsxImportSource @kitajs/html */
import { SCOPES } from "../core/identity/access/scopes.ts";
import { TIERS } from "../core/ground/limits.ts";
import type { Reference } from "./reference-document.ts";
import { Code, json, prose, shell, Table } from "./reference-parts.tsx";
import { AUTHORIZATION, count } from "./reference-words.ts";

/** The sections for a newcomer, in the order of a first visit. */
export const GUIDE = [
  { id: "authentication", title: "Authentication" },
  { id: "scopes", title: "Scopes" },
  { id: "pagination", title: "Pagination" },
  { id: "errors", title: "Errors" },
  { id: "rate-limits", title: "Rate limits" },
  { id: "retries", title: "Safe retries" },
  { id: "conditional-requests", title: "Conditional requests" },
  { id: "webhook-secrets", title: "Webhook secrets" },
] as const;

type SectionId = (typeof GUIDE)[number]["id"];

export function Guide({ reference }: { reference: Reference }) {
  const { baseUrl } = reference;
  return (
    <section class="group" aria-labelledby="start">
      <h2 id="start">Start here</h2>
      <p class="group-description">
        Requests and answers are JSON. Identifiers and cursors are opaque, times are ISO-8601 in UTC, and a
        slug is lower-case letters and digits joined by <code>-</code> or <code>.</code>, such as{" "}
        <code>node.js</code>. Parameters and fields that the server does not know are ignored.
      </p>
      <Section
        id="authentication"
        wire={
          <>
            <Code
              title="On the server, once"
              markup={shell("guildhall token create ada --scope profile:read")}
            />
            <Code
              title="Your first request"
              markup={shell(`export TOKEN=...\n\ncurl ${baseUrl}/profiles/me \\\n  ${AUTHORIZATION}`)}
            />
          </>
        }
      >
        <p>
          Every request carries a personal access token in the <code>Authorization</code> header. A token
          belongs to one builder and one workspace, begins with <code>guild_pat_</code>, and is shown once:
          when it is made.
        </p>
        <p>
          The operator of this installation makes one on the command line. Keep it out of your code; the
          examples on this page read it from the variable <code>TOKEN</code>.
        </p>
        <p>
          Without valid credentials the answer is <code>401</code>; a token that lacks the scope of an
          operation gets <code>403</code> with the name of that scope.
        </p>
      </Section>
      <Section id="scopes">
        <p>What a token may do. Give it only what your program needs.</p>
        <Table label="Scopes" columns={["Scope", "Lets a token"]}>
          {Object.entries(SCOPES).map(([name, words]) => (
            <tr>
              <th scope="row">
                <code safe>{name}</code>
              </th>
              <td safe>{words}</td>
            </tr>
          ))}
        </Table>
      </Section>
      <Section
        id="pagination"
        wire={
          <Code
            title="Two pages"
            markup={shell(
              `curl "${baseUrl}/feed?limit=50" \\\n  ${AUTHORIZATION}\n# { "data": [ ... ], "next": "NEXT" }\n\ncurl "${baseUrl}/feed?limit=50&cursor=NEXT" \\\n  ${AUTHORIZATION}\n# { "data": [ ... ], "next": null }`,
            )}
          />
        }
      >
        <p>
          A list answers <code>{"{ data, next }"}</code>. Pass <code>next</code> as <code>cursor</code> to get
          the page behind it, with the same filters; when it is <code>null</code>, you have seen everything.
        </p>
        <p>
          <code>limit</code> sets the size of a page: 1 to 100, 20 without it. Rows that appear while you read
          neither shift nor repeat what you get.
        </p>
      </Section>
      <Section
        id="errors"
        wire={
          <Code
            title="Answer 400"
            markup={json({
              error: "bad_request",
              code: "missing",
              message: "`text` is missing.",
              details: [{ path: "text", code: "missing", message: "is missing" }],
              docs: `${baseUrl.replace(/\/v1$/, "")}/docs#errors`,
            })}
          />
        }
      >
        <p>
          <code>error</code> is a name that programs can rely on, <code>code</code> a finer one with its{" "}
          <code>params</code>, and <code>message</code> one sentence for a person that says what to change.
          Where fields failed, <code>details</code> lists them; <code>docs</code> leads to where more is said.
          Every answer names itself in <code>X-Request-Id</code>: quote it when you ask for help.
        </p>
        <Table label="Errors" columns={["Status", "Error", "Meaning"]}>
          {reference.refusals.map(({ status, name, description }) => (
            <tr>
              <th scope="row" safe>
                {status}
              </th>
              <td>
                <code safe>{name}</code>
              </td>
              <td>{prose(description)}</td>
            </tr>
          ))}
        </Table>
      </Section>
      <Section id="rate-limits">
        <p>
          Each caller has a bucket that refills steadily and may be emptied at once. After <code>429</code>,
          wait as long as <code>Retry-After</code> says: the request after it succeeds.
        </p>
        <Table label="Rate limits" columns={["Tier", "Sustained", "Burst"]} kind="figures">
          {(
            [
              ["Anonymous", TIERS.anonymous],
              ["Personal token", TIERS.personal],
              ["OAuth app", TIERS.oauth],
            ] as const
          ).map(([name, { sustained, burst }]) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{count(sustained)} requests/min</td>
              <td>{count(burst)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Enterprise</th>
            <td>set by the operator</td>
            <td>set by the operator</td>
          </tr>
        </Table>
        <Table label="Headers of answers" columns={["Header", "Says"]}>
          {reference.headers
            .filter(({ name }) => /^(X-RateLimit|Retry-After)/.test(name))
            .map(({ name, description }) => (
              <tr>
                <th scope="row">
                  <code safe>{name}</code>
                </th>
                <td>{prose(description)}</td>
              </tr>
            ))}
        </Table>
      </Section>
      <Section
        id="retries"
        wire={
          <Code
            title="A post that is made once"
            markup={shell(
              `curl ${baseUrl}/feed \\\n  ${AUTHORIZATION} \\\n  -H "Content-Type: application/json" \\\n  -H "Idempotency-Key: launch-post-1" \\\n  -d '{ "text": "It is out." }'`,
            )}
          />
        }
      >
        <p>
          Send an <code>Idempotency-Key</code> of your own, 1 to 255 characters, with any <code>POST</code>.
          Should the answer get lost, send the same request again: for 24 hours you get the first answer once
          more, marked <code>Idempotency-Replayed: true</code>, and nothing happens twice.
        </p>
        <p>
          The same key with another body is <code>422</code>; while the first request is still running it is{" "}
          <code>409</code>. A refused request leaves its key free.
        </p>
      </Section>
      <Section
        id="conditional-requests"
        wire={
          <Code
            title="Nothing new"
            markup={shell(
              `curl -i ${baseUrl}/profiles/ada \\\n  ${AUTHORIZATION} \\\n  -H 'If-None-Match: "1p9x4k2m"'\n# HTTP/1.1 304 Not Modified`,
            )}
          />
        }
      >
        <p>
          A successful <code>GET</code> carries an <code>ETag</code>. Send it back in{" "}
          <code>If-None-Match</code>: as long as nothing has changed, the answer is <code>304</code> without a
          body. It still counts as a request.
        </p>
        <p>
          Send it in <code>If-Match</code> with a <code>PUT</code>, <code>PATCH</code> or <code>DELETE</code>{" "}
          of the same address, and what somebody else has changed since you read it stays as it is: the answer
          is <code>412</code>.
        </p>
      </Section>
      <Section id="webhook-secrets">
        <p>
          <a href="#registerWebhook">Registering an endpoint</a> returns the secret that signs what is sent
          there, so that your receiver can tell our deliveries from anybody else's.
        </p>
        <Table label="Webhook secrets" columns={["Of the secret", "Rule"]}>
          <tr>
            <th scope="row">Form</th>
            <td>
              <code>whsec_</code> and the base64 of 32 random bytes; each endpoint has its own
            </td>
          </tr>
          <tr>
            <th scope="row">Shown</th>
            <td>
              once, in the <code>201</code> that makes the endpoint; no later answer holds it
            </td>
          </tr>
          <tr>
            <th scope="row">Signs</th>
            <td>the raw request body with HMAC-SHA256; the key is the whole secret, prefix included</td>
          </tr>
          <tr>
            <th scope="row">Arrives in</th>
            <td>
              <code>X-Service-Signature: t=&lt;unix time&gt;,v1=&lt;hex&gt;</code>
            </td>
          </tr>
          <tr>
            <th scope="row">Check it</th>
            <td>in constant time, and refuse what is older than 5 minutes</td>
          </tr>
        </Table>
      </Section>
    </section>
  );
}

function Section({
  id,
  wire,
  children,
}: {
  id: SectionId;
  wire?: JSX.Element;
  children?: JSX.Element | JSX.Element[];
}) {
  const title = GUIDE.find((section) => section.id === id)?.title ?? id;
  return (
    <section class="pair" aria-labelledby={id}>
      <div class="words">
        <h3 id={id}>
          <a class="anchor" href={`#${id}`} safe>
            {title}
          </a>
        </h3>
        {children}
      </div>
      {wire === undefined ? "" : <div class="wire">{wire}</div>}
    </section>
  );
}
