/** @jsxImportSource @kitajs/html */
import { type ConnectedApp, listConnectedApps, revokeGrant } from "../../../core/delegation/grants/grants.ts";
import { wordsOfScope } from "../../parts/sentences.ts";
import { EndpointList } from "../../parts/endpoint-list.tsx";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Form, Rows } from "../../parts/parts.tsx";
import { type PersonAsk, signedInPage, type View } from "../../request/route.ts";
import { hostOf, MakerName } from "./consent.tsx";

const HERE = "/settings/connected";

/** The apps that a person has let in. */
export const connectedPages = [
  signedInPage("GET", HERE, (ask) => listView(ask)),
  signedInPage("POST", `${HERE}/:id/revoke`, async (ask) => {
    await ask.write(() => revokeGrant(ask.core, ask.person.caller, ask.params["id"] ?? ""));
    return { to: HERE, notice: "grant-revoked" };
  }),
];

function listView(ask: PersonAsk): View {
  const words = ask.words.connectedApps;
  const connected = listConnectedApps(ask.core, ask.person.caller);
  return {
    title: words.title,
    section: "connected",
    body: (
      <>
        <Heading title={words.title}>
          <p>{words.lead}</p>
        </Heading>
        <Rows
          nodes={connected}
          empty={words.empty}
          lead={words.emptyLead}
          row={(one) => <ConnectedRow one={one} ask={ask} />}
        />
      </>
    ),
  };
}

function ConnectedRow({ one, ask }: { one: ConnectedApp; ask: PersonAsk }) {
  const { app, workspace, scopes } = one;
  const words = ask.words.connectedApps;
  return (
    <li>
      <div class="row-main">
        <p class="row-title app-name">
          <bdi safe>{app.name}</bdi> {app.isSuspended ? <span class="badge bad">{words.suspended}</span> : ""}
        </p>
        <p class="row-meta">
          {words.by({ maker: <MakerName ask={ask} maker={app.maker} /> })}
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
            <> · {words.inWorkspace({ workspace: <bdi safe>{workspace.name}</bdi> })}</>
          )}
        </p>
        <p class="row-meta">
          {words.connected({ when: <Ago ask={ask} at={one.connectedAt} /> })} ·{" "}
          {one.lastUsedAt === null
            ? words.neverUsed
            : words.used({ when: <Ago ask={ask} at={one.lastUsedAt} /> })}
        </p>
        {app.isSuspended && <p class="row-meta">{words.locked}</p>}
        <ul class="ticked small">
          {scopes.map((name) => (
            <li safe>{wordsOfScope(ask.words, name)}</li>
          ))}
        </ul>
        <EndpointList ask={ask} endpoints={one.endpoints} title={words.endpoints} />
      </div>
      <Form
        action={`${HERE}/${one.id}/revoke`}
        ask={ask}
        kind="inline"
        label={words.disconnectOf({ app: app.name })}
      >
        <Button kind="danger">{words.disconnect}</Button>
      </Form>
    </li>
  );
}
