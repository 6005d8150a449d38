/** @jsxImportSource @kitajs/html */
import { type ConnectedApp, listConnectedApps, revokeGrant } from "../../../core/delegation/grants/grants.ts";
import { wordsOfScope } from "../../parts/sentences.ts";
import { EndpointList } from "../../parts/endpoint-list.tsx";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Empty, Form } from "../../parts/parts.tsx";
import { type PersonAsk, personal, type View } from "../../request/route.ts";
import { hostOf, MakerName } from "./consent.tsx";

const HERE = "/settings/connected";

/** The apps that a person has let in. */
export const connectedPages = [
  personal("GET", HERE, (ask) => listView(ask)),
  personal("POST", `${HERE}/:id/revoke`, async (ask) => {
    await ask.write(() => revokeGrant(ask.core, ask.person.caller, ask.params["id"] ?? ""));
    return { to: HERE, notice: "grant-revoked" };
  }),
];

function listView(ask: PersonAsk): View {
  const connected = listConnectedApps(ask.core, ask.person.caller);
  return {
    title: "Connected apps",
    section: "connected",
    body: (
      <>
        <Heading title="Connected apps">
          <p>
            What you let act as you. Disconnecting one stops its tokens and its webhooks at once; it has to
            ask you again.
          </p>
        </Heading>
        {connected.length === 0 ? (
          <Empty title="No app is connected">
            <p>When an app asks to act as you, you decide here what it may do, and it stands in this list.</p>
          </Empty>
        ) : (
          <ul class="rows">
            {connected.map((one) => (
              <ConnectedRow one={one} ask={ask} />
            ))}
          </ul>
        )}
      </>
    ),
  };
}

function ConnectedRow({ one, ask }: { one: ConnectedApp; ask: PersonAsk }) {
  const { app, workspace, scopes } = one;
  return (
    <li>
      <div class="row-main">
        <p class="row-title app-name">
          <bdi safe>{app.name}</bdi>
          {app.isSuspended ? <span class="badge bad">Suspended</span> : ""}
        </p>
        <p class="row-meta">
          By <MakerName maker={app.maker} />
          {app.homepage === null ? (
            ""
          ) : (
            <>
              {" "}
              ·{" "}
              <a href={app.homepage} rel="nofollow noopener noreferrer" safe>
                {hostOf(app.homepage)}
              </a>
            </>
          )}
          {workspace.id === ask.person.caller.workspaceId ? (
            ""
          ) : (
            <>
              {" "}
              · in the workspace “<bdi safe>{workspace.name}</bdi>”
            </>
          )}
        </p>
        <p class="row-meta">
          Connected <Ago ask={ask} at={one.connectedAt} /> ·{" "}
          {one.lastUsedAt === null ? (
            "never used"
          ) : (
            <>
              last used <Ago ask={ask} at={one.lastUsedAt} />
            </>
          )}
        </p>
        {app.isSuspended && (
          <p class="row-meta">Those who run the community have locked it out: none of its tokens works.</p>
        )}
        <ul class="ticked small">
          {scopes.map((name) => (
            <li safe>{wordsOfScope(ask.words, name)}</li>
          ))}
        </ul>
        <EndpointList ask={ask} endpoints={one.endpoints} title="It receives events at" />
      </div>
      <Form
        action={`${HERE}/${one.id}/revoke`}
        token={ask.formToken}
        kind="inline"
        label={`Disconnect ${app.name}`}
      >
        <Button kind="danger">Disconnect</Button>
      </Form>
    </li>
  );
}
