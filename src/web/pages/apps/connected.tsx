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
  const words = ctx.words.connectedApps;
  const connected = listConnectedApps(ctx.core, ctx.person.caller);
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
          row={(one) => <ConnectedRow one={one} ctx={ctx} />}
        />
      </>
    ),
  };
}

function ConnectedRow({ one, ctx }: { one: ConnectedApp; ctx: PersonContext }) {
  const { app, workspace, scopes } = one;
  const words = ctx.words.connectedApps;
  return (
    <li>
      <div class="row-main">
        <p class="row-title app-name">
          <bdi safe>{app.name}</bdi> {app.isSuspended ? <span class="badge bad">{words.suspended}</span> : ""}
        </p>
        <p class="row-meta">
          {words.by({ maker: <MakerName ctx={ctx} maker={app.maker} /> })}
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
            <> · {words.inWorkspace({ workspace: <bdi safe>{workspace.name}</bdi> })}</>
          )}
        </p>
        <p class="row-meta">
          {words.connected({ when: <Ago ctx={ctx} at={one.connectedAt} /> })} ·{" "}
          {one.lastUsedAt === null
            ? words.neverUsed
            : words.used({ when: <Ago ctx={ctx} at={one.lastUsedAt} /> })}
        </p>
        {app.isSuspended && <p class="row-meta">{words.locked}</p>}
        <ul class="ticked small">
          {scopes.map((name) => (
            <li safe>{describeScope(ctx.words, name)}</li>
          ))}
        </ul>
        <EndpointList ctx={ctx} endpoints={one.endpoints} title={words.endpoints} />
      </div>
      <Form
        action={`${HERE}/${one.id}/revoke`}
        ctx={ctx}
        kind="inline"
        label={words.disconnectOf({ app: app.name })}
      >
        <Button kind="danger">{words.disconnect}</Button>
      </Form>
    </li>
  );
}
