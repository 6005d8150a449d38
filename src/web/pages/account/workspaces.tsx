/** @jsxImportSource @kitajs/html */
import { formOf } from "../../parts/draft-form.tsx";
import type { CoreError } from "../../../core/base/errors.ts";
import {
  inviteMember,
  joinWorkspace,
  listInvitations,
  peekInvitation,
  withdrawInvitation,
} from "../../../core/delegation/workspaces/invitations.ts";
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  leaveWorkspace,
  listMembers,
  listWorkspaces,
  type OwnWorkspace,
  removeMember,
  renameWorkspace,
  setRole,
  WorkspaceDraft,
} from "../../../core/delegation/workspaces/workspaces.ts";
import { InvitationDraft } from "../../../core/identity/mail/invitation.ts";
import { InviteForm, SentTo } from "../../parts/invite-form.tsx";
import { showAgainOnError, formPage, readDraft } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Fault, Form, Secret, Submit } from "../../parts/parts.tsx";
import { type PersonContext, signedInPage, type View } from "../../request/route.ts";
import { withReauthentication } from "../entry/reauthentication.tsx";
import type { Member } from "../../../core/identity/members/members.ts";
import { NotStaffMark } from "../../parts/role-mark.tsx";

const HERE = "/settings/workspaces";

/** Workspaces, which own tokens, apps and webhooks. A workspace has one member or several. */
export const workspacePages = [
  signedInPage("GET", HERE, (ctx) => listView(ctx)),
  formPage(signedInPage, HERE, listView, async (ctx) => {
    const draft = readDraft(WorkspaceDraft, ctx.form);
    const { caller } = ctx.person;
    const id = await ctx.write(() => createWorkspace(ctx.core, caller, caller.username, draft));
    return { to: `${HERE}/${id}`, notice: "workspace-made" };
  }),
  signedInPage("GET", `${HERE}/:id`, (ctx) => workspaceView(ctx)),
  signedInPage("POST", `${HERE}/:id`, (ctx) =>
    showAgainWith(ctx, async () => {
      const change = readDraft(WorkspaceDraft, ctx.form);
      await ctx.write(() => renameWorkspace(ctx.core, ctx.person.caller, idOf(ctx), change));
      return { to: `${HERE}/${idOf(ctx)}`, notice: "saved" };
    }),
  ),
  signedInPage(
    "POST",
    `${HERE}/:id/invitations`,
    withReauthentication(addressOf, (ctx) =>
      showAgainWith(ctx, async () => {
        const draft = readDraft(InvitationDraft, ctx.form);
        const { url } = await ctx.write(() => inviteMember(ctx.core, ctx.person.caller, idOf(ctx), draft));
        return workspaceView(ctx, { link: url, sentTo: draft.address });
      }),
    ),
  ),
  signedInPage("POST", `${HERE}/:id/invitations/:link/withdraw`, async (ctx) => {
    await ctx.write(() =>
      withdrawInvitation(ctx.core, ctx.person.caller, idOf(ctx), ctx.params["link"] ?? ""),
    );
    return { to: `${HERE}/${idOf(ctx)}`, notice: "link-withdrawn" };
  }),
  signedInPage(
    "POST",
    `${HERE}/:id/members/:username/remove`,
    withReauthentication(addressOf, (ctx) =>
      showAgainWith(ctx, async () => {
        await ctx.write(() =>
          removeMember(ctx.core, ctx.person.caller, idOf(ctx), ctx.params["username"] ?? ""),
        );
        return { to: `${HERE}/${idOf(ctx)}`, notice: "member-removed" };
      }),
    ),
  ),
  signedInPage(
    "POST",
    `${HERE}/:id/members/:username/role`,
    withReauthentication(addressOf, (ctx) =>
      showAgainWith(ctx, async () => {
        const role = ctx.form.get("role") === "owner" ? "owner" : "member";
        await ctx.write(() =>
          setRole(ctx.core, ctx.person.caller, idOf(ctx), ctx.params["username"] ?? "", role),
        );
        return { to: `${HERE}/${idOf(ctx)}`, notice: "saved" };
      }),
    ),
  ),
  signedInPage("POST", `${HERE}/:id/leave`, (ctx) =>
    showAgainWith(ctx, async () => {
      await ctx.write(() => leaveWorkspace(ctx.core, ctx.person.caller, idOf(ctx)));
      return { to: HERE, notice: "workspace-left" };
    }),
  ),
  signedInPage(
    "POST",
    `${HERE}/:id/delete`,
    withReauthentication(addressOf, (ctx) =>
      showAgainWith(ctx, async () => {
        await ctx.write(() => deleteWorkspace(ctx.core, ctx.person.caller, idOf(ctx)));
        return { to: HERE, notice: "workspace-deleted" };
      }),
    ),
  ),
  signedInPage("GET", "/join", (ctx) => joinView(ctx)),
  signedInPage("POST", "/join", async (ctx) => {
    const id = await ctx.write(() => joinWorkspace(ctx.core, ctx.person.caller, ctx.form.get("token") ?? ""));
    return { to: `${HERE}/${id}`, notice: "workspace-joined" };
  }),
];

function showAgainWith(ctx: PersonContext, work: () => ReturnType<Parameters<typeof showAgainOnError>[0]>) {
  return showAgainOnError(work, (error) => workspaceView(ctx, { error }));
}

function addressOf(ctx: PersonContext): string {
  return `${HERE}/${idOf(ctx)}`;
}

function idOf({ params }: PersonContext): string {
  return params["id"] ?? "";
}

function listView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.workspaces;
  const { core, person } = ctx;
  const workspaces = listWorkspaces(core, person.caller, person.caller.username);
  const making = formOf(ctx, WorkspaceDraft, { messages, error });
  return {
    title: messages.title,
    section: "workspaces",
    error,
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        <ul class="rows">
          {workspaces.map((workspace) => (
            <WorkspaceRow ctx={ctx} workspace={workspace} />
          ))}
        </ul>
        <section class="part">
          <h2>{messages.newTitle}</h2>
          <making.Form action={HERE}>
            <making.Field name="name" />
            <Submit>{messages.make}</Submit>
          </making.Form>
        </section>
      </>
    ),
  };
}

function WorkspaceRow({ ctx, workspace }: { ctx: PersonContext; workspace: OwnWorkspace }) {
  const messages = ctx.messages.workspaces;
  if (workspace.isPersonal) {
    return (
      <li>
        <div class="row-main">
          <p class="row-title" dir="auto">
            {messages.personal}
          </p>
          <p class="row-meta">{messages.personalLead}</p>
        </div>
      </li>
    );
  }
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={`${HERE}/${workspace.id}`} safe>
            {workspace.name}
          </a>
        </p>
        <p class="row-meta">{messages.people({ count: workspace.members })}</p>
      </div>
      <span class="badge">{messages.roles[workspace.role]}</span>
    </li>
  );
}

function workspaceView(
  ctx: PersonContext,
  { error, link, sentTo }: { error?: CoreError; link?: string; sentTo?: string | undefined } = {},
): View {
  const messages = ctx.messages.workspaces.invitations;
  const { core, person } = ctx;
  const workspace = getWorkspace(core, person.caller, idOf(ctx));
  const members = listMembers(core, person.caller, workspace.id);
  const isOwner = workspace.role === "owner" && !workspace.isPersonal;
  return {
    title: workspace.name,
    section: "workspaces",
    error,
    body: (
      <>
        <Heading title={workspace.name}>
          <p>
            <a href={HERE}>{ctx.messages.workspaces.all}</a>
          </p>
        </Heading>
        <Fault ctx={ctx} error={error} fields={["name", "address"]} />
        {link && (
          <Secret label={messages.secret} value={link}>
            <p>{messages.secretLead}</p>
            <SentTo ctx={ctx} address={sentTo} />
          </Secret>
        )}
        <ul class="rows">
          {members.map((member) => (
            <MemberRow ctx={ctx} workspace={workspace} member={member} isOwner={isOwner} />
          ))}
        </ul>
        {isOwner ? <OwnerParts ctx={ctx} workspace={workspace} error={error} /> : ""}
        {workspace.isPersonal ? "" : <StopButton ctx={ctx} workspace={workspace} isOwner={isOwner} />}
      </>
    ),
  };
}

function MemberRow({
  ctx,
  workspace,
  member,
  isOwner,
}: {
  ctx: PersonContext;
  workspace: OwnWorkspace;
  member: Member;
  isOwner: boolean;
}) {
  const messages = ctx.messages.workspaces.members;
  const base = `${HERE}/${workspace.id}/members/${member.username}`;
  const isMe = member.builderId === ctx.person.caller.builderId;
  const otherRole = member.role === "owner" ? "member" : "owner";
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <span safe>{member.name}</span>
          <NotStaffMark ctx={ctx} who={member} />
        </p>
        <p class="row-meta">
          <span safe>{`@${member.username}`}</span> · {ctx.messages.workspaces.roles[member.role]} ·{" "}
          {messages.joined({ when: <Ago ctx={ctx} at={member.joinedAt} /> })}
        </p>
      </div>
      {isOwner && !isMe && (
        <div class="actions">
          <Form
            action={`${base}/role`}
            ctx={ctx}
            kind="inline"
            label={messages.roleOf({ username: member.username })}
          >
            <input type="hidden" name="role" value={otherRole} />
            <Button kind="quiet">{otherRole === "owner" ? messages.makeOwner : messages.makeMember}</Button>
          </Form>
          <Form
            action={`${base}/remove`}
            ctx={ctx}
            kind="inline"
            label={messages.removeOf({ username: member.username })}
          >
            <Button kind="danger">{messages.remove}</Button>
          </Form>
        </div>
      )}
    </li>
  );
}

function OwnerParts({
  ctx,
  workspace,
  error,
}: {
  ctx: PersonContext;
  workspace: OwnWorkspace;
  error: CoreError | undefined;
}) {
  const messages = ctx.messages.workspaces.invitations;
  const invitations = listInvitations(ctx.core, ctx.person.caller, workspace.id);
  const naming = formOf(ctx, WorkspaceDraft, {
    messages: ctx.messages.workspaces.naming,
    error,
    stored: workspace,
  });
  return (
    <>
      <section class="part">
        <h2>{messages.title}</h2>
        <p class="hint">{messages.lead}</p>
        {invitations.length > 0 && (
          <ul class="rows with-space">
            {invitations.map((invitation) => (
              <li>
                <div class="row-main">
                  <p class="row-title" dir="auto">
                    {messages.open}
                  </p>
                  <p class="row-meta">
                    {messages.by({
                      inviter: <span safe>{`@${invitation.invitedBy}`}</span>,
                      when: <Ago ctx={ctx} at={invitation.expiresAt} />,
                    })}
                  </p>
                </div>
                <Form
                  action={`${HERE}/${workspace.id}/invitations/${invitation.id}/withdraw`}
                  ctx={ctx}
                  kind="inline"
                >
                  <Button kind="quiet">{messages.withdraw}</Button>
                </Form>
              </li>
            ))}
          </ul>
        )}
        <InviteForm ctx={ctx} action={`${HERE}/${workspace.id}/invitations`} error={error}>
          {messages.make}
        </InviteForm>
      </section>
      <section class="part">
        <h2>{ctx.messages.workspaces.naming.title}</h2>
        <Form action={`${HERE}/${workspace.id}`} ctx={ctx} kind="stack">
          <naming.Field name="name" of="label" />
          <Submit kind="quiet">{ctx.messages.workspaces.naming.rename}</Submit>
        </Form>
      </section>
    </>
  );
}

function StopButton({
  ctx,
  workspace,
  isOwner,
}: {
  ctx: PersonContext;
  workspace: OwnWorkspace;
  isOwner: boolean;
}) {
  const messages = ctx.messages.workspaces.stop;
  return (
    <section class="part">
      <h2>{isOwner ? messages.title : messages.leaveTitle}</h2>
      <p class="hint">{isOwner ? messages.lead : messages.leaveLead}</p>
      <div class="actions">
        <Form action={`${HERE}/${workspace.id}/leave`} ctx={ctx} kind="inline">
          <Button kind="quiet">{messages.leave}</Button>
        </Form>
        {isOwner && (
          <Form action={`${HERE}/${workspace.id}/delete`} ctx={ctx} kind="inline">
            <Button kind="danger">{messages.delete}</Button>
          </Form>
        )}
      </div>
    </section>
  );
}

function joinView(ctx: PersonContext): View {
  const messages = ctx.messages.workspaces.join;
  const token = ctx.query.get("token") ?? "";
  const { workspace, invitedBy } = peekInvitation(ctx.core, ctx.person.caller, token);
  return {
    title: messages.title,
    isPlain: true,
    body: (
      <>
        <Heading title={messages.heading({ workspace: workspace.name })}>
          <p safe>{messages.lead({ inviter: invitedBy })}</p>
        </Heading>
        <Form action="/join" ctx={ctx} kind="stack">
          <input type="hidden" name="token" value={token} />
          <Button>{messages.button}</Button>
        </Form>
      </>
    ),
  };
}
