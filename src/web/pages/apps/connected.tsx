/** @jsxImportSource @kitajs/html */
import { type ConnectedApp, listConnectedApps, revokeGrant } from "../../../core/delegation/grants/grants.ts";
import { describeScope } from "../../parts/sentences.ts";
import { EndpointList } from "../../parts/endpoint-list.tsx";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Form, Rows } from "../../parts/parts.tsx";
import { type PersonContext, signedInPage, type View } from "../../request/route.ts";
import { hostOf, MakerName } from "./consent.tsx";

const HERE = "/settings/connected";

/** The apps that a member has authorized. */
export const connectedPages = [
  signedInPage("GET", HERE, (ctx) => listView(ctx)),
  signedInPage("POST", `${HERE}/:id/revoke`, async (ctx) => {
    await ctx.write(() => revokeGrant(ctx.core, ctx.person.caller, ctx.params["id"] ?? ""));
    return { to: HERE, notice: "grant-revoked" };
  }),
];

function listView(ctx: PersonContext): View {
  const messages = ctx.messages.connectedApps;
  const connected = listConnectedApps(ctx.core, ctx.person.caller);
  return {
    title: messages.title,
    section: "connected",
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        <Rows
          nodes={connected}
          empty={messages.empty}
          lead={messages.emptyLead}
          row={(one) => <ConnectedRow one={one} ctx={ctx} />}
        />
      </>
    ),
  };
}

function ConnectedRow({ one, ctx }: { one: ConnectedApp; ctx: PersonContext }) {
  const { app, workspace, scopes } = one;
  const messages = ctx.messages.connectedApps;
  return (
    <li>
      <div class="row-main">
        <p class="row-title app-name">
          <bdi safe>{app.name}</bdi>{" "}
          {app.isSuspended ? <span class="badge bad">{messages.suspended}</span> : ""}
        </p>
        <p class="row-meta">
          {messages.by({ maker: <MakerName ctx={ctx} maker={app.maker} /> })}
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
          {workspace.id === ctx.person.caller.workspaceId ? (
            ""
          ) : (
            <> · {messages.inWorkspace({ workspace: <bdi safe>{workspace.name}</bdi> })}</>
          )}
        </p>
        <p class="row-meta">
          {messages.connected({ when: <Ago ctx={ctx} at={one.connectedAt} /> })} ·{" "}
          {one.lastUsedAt === null
            ? messages.neverUsed
            : messages.used({ when: <Ago ctx={ctx} at={one.lastUsedAt} /> })}
        </p>
        {app.isSuspended && <p class="row-meta">{messages.locked}</p>}
        <ul class="ticked small">
          {scopes.map((name) => (
            <li safe>{describeScope(ctx.messages, name)}</li>
          ))}
        </ul>
        <EndpointList ctx={ctx} endpoints={one.endpoints} title={messages.endpoints} />
      </div>
      <Form
        action={`${HERE}/${one.id}/revoke`}
        ctx={ctx}
        kind="inline"
        label={messages.disconnectOf({ app: app.name })}
      >
        <Button kind="danger">{messages.disconnect}</Button>
      </Form>
    </li>
  );
}
