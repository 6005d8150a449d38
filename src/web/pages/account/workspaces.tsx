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
import { type PersonAsk, signedInPage, type View } from "../../request/route.ts";
import { withReauthentication } from "../entry/reauthentication.tsx";
import type { Member } from "../../../core/identity/members/members.ts";
import { NotStaffMark } from "../../parts/role-mark.tsx";

const HERE = "/settings/workspaces";

/** Workspaces: what tokens, apps and webhooks belong to, alone or with others. */
export const workspacePages = [
  signedInPage("GET", HERE, (ask) => listView(ask)),
  formPage(signedInPage, HERE, listView, async (ask) => {
    const draft = readDraft(WorkspaceDraft, ask.form);
    const { caller } = ask.person;
    const id = await ask.write(() => createWorkspace(ask.core, caller, caller.username, draft));
    return { to: `${HERE}/${id}`, notice: "workspace-made" };
  }),
  signedInPage("GET", `${HERE}/:id`, (ask) => workspaceView(ask)),
  signedInPage("POST", `${HERE}/:id`, (ask) =>
    again(ask, async () => {
      const change = readDraft(WorkspaceDraft, ask.form);
      await ask.write(() => renameWorkspace(ask.core, ask.person.caller, idOf(ask), change));
      return { to: `${HERE}/${idOf(ask)}`, notice: "saved" };
    }),
  ),
  signedInPage(
    "POST",
    `${HERE}/:id/invitations`,
    withReauthentication(addressOf, (ask) =>
      again(ask, async () => {
        const draft = readDraft(InvitationDraft, ask.form);
        const { url } = await ask.write(() => inviteMember(ask.core, ask.person.caller, idOf(ask), draft));
        return workspaceView(ask, { link: url, sentTo: draft.address });
      }),
    ),
  ),
  signedInPage("POST", `${HERE}/:id/invitations/:link/withdraw`, async (ask) => {
    await ask.write(() =>
      withdrawInvitation(ask.core, ask.person.caller, idOf(ask), ask.params["link"] ?? ""),
    );
    return { to: `${HERE}/${idOf(ask)}`, notice: "link-withdrawn" };
  }),
  signedInPage(
    "POST",
    `${HERE}/:id/members/:username/remove`,
    withReauthentication(addressOf, (ask) =>
      again(ask, async () => {
        await ask.write(() =>
          removeMember(ask.core, ask.person.caller, idOf(ask), ask.params["username"] ?? ""),
        );
        return { to: `${HERE}/${idOf(ask)}`, notice: "member-removed" };
      }),
    ),
  ),
  signedInPage(
    "POST",
    `${HERE}/:id/members/:username/role`,
    withReauthentication(addressOf, (ask) =>
      again(ask, async () => {
        const role = ask.form.get("role") === "owner" ? "owner" : "member";
        await ask.write(() =>
          setRole(ask.core, ask.person.caller, idOf(ask), ask.params["username"] ?? "", role),
        );
        return { to: `${HERE}/${idOf(ask)}`, notice: "saved" };
      }),
    ),
  ),
  signedInPage("POST", `${HERE}/:id/leave`, (ask) =>
    again(ask, async () => {
      await ask.write(() => leaveWorkspace(ask.core, ask.person.caller, idOf(ask)));
      return { to: HERE, notice: "workspace-left" };
    }),
  ),
  signedInPage(
    "POST",
    `${HERE}/:id/delete`,
    withReauthentication(addressOf, (ask) =>
      again(ask, async () => {
        await ask.write(() => deleteWorkspace(ask.core, ask.person.caller, idOf(ask)));
        return { to: HERE, notice: "workspace-deleted" };
      }),
    ),
  ),
  signedInPage("GET", "/join", (ask) => joinView(ask)),
  signedInPage("POST", "/join", async (ask) => {
    const id = await ask.write(() => joinWorkspace(ask.core, ask.person.caller, ask.form.get("token") ?? ""));
    return { to: `${HERE}/${id}`, notice: "workspace-joined" };
  }),
];

function again(ask: PersonAsk, work: () => ReturnType<Parameters<typeof showAgainOnError>[0]>) {
  return showAgainOnError(work, (error) => workspaceView(ask, { error }));
}

function addressOf(ask: PersonAsk): string {
  return `${HERE}/${idOf(ask)}`;
}

function idOf({ params }: PersonAsk): string {
  return params["id"] ?? "";
}

function listView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.workspaces;
  const { core, person } = ask;
  const workspaces = listWorkspaces(core, person.caller, person.caller.username);
  const making = formOf(ask, WorkspaceDraft, { words, error });
  return {
    title: words.title,
    section: "workspaces",
    error,
    body: (
      <>
        <Heading title={words.title}>
          <p>{words.lead}</p>
        </Heading>
        <ul class="rows">
          {workspaces.map((workspace) => (
            <WorkspaceRow ask={ask} workspace={workspace} />
          ))}
        </ul>
        <section class="part">
          <h2>{words.newTitle}</h2>
          <making.Form action={HERE}>
            <making.Field name="name" />
            <Submit>{words.make}</Submit>
          </making.Form>
        </section>
      </>
    ),
  };
}

function WorkspaceRow({ ask, workspace }: { ask: PersonAsk; workspace: OwnWorkspace }) {
  const words = ask.words.workspaces;
  if (workspace.isPersonal) {
    return (
      <li>
        <div class="row-main">
          <p class="row-title" dir="auto">
            {words.personal}
          </p>
          <p class="row-meta">{words.personalLead}</p>
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
        <p class="row-meta">{words.people({ count: workspace.members })}</p>
      </div>
      <span class="badge">{words.roles[workspace.role]}</span>
    </li>
  );
}

function workspaceView(
  ask: PersonAsk,
  { error, link, sentTo }: { error?: CoreError; link?: string; sentTo?: string | undefined } = {},
): View {
  const words = ask.words.workspaces.invitations;
  const { core, person } = ask;
  const workspace = getWorkspace(core, person.caller, idOf(ask));
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
            <a href={HERE}>{ask.words.workspaces.all}</a>
          </p>
        </Heading>
        <Fault ask={ask} error={error} fields={["name", "address"]} />
        {link && (
          <Secret label={words.secret} value={link}>
            <p>{words.secretLead}</p>
            <SentTo ask={ask} address={sentTo} />
          </Secret>
        )}
        <ul class="rows">
          {members.map((member) => (
            <MemberRow ask={ask} workspace={workspace} member={member} isOwner={isOwner} />
          ))}
        </ul>
        {isOwner ? <OwnerParts ask={ask} workspace={workspace} error={error} /> : ""}
        {workspace.isPersonal ? "" : <Stop ask={ask} workspace={workspace} isOwner={isOwner} />}
      </>
    ),
  };
}

function MemberRow({
  ask,
  workspace,
  member,
  isOwner,
}: {
  ask: PersonAsk;
  workspace: OwnWorkspace;
  member: Member;
  isOwner: boolean;
}) {
  const words = ask.words.workspaces.members;
  const base = `${HERE}/${workspace.id}/members/${member.username}`;
  const isMe = member.builderId === ask.person.caller.builderId;
  const other = member.role === "owner" ? "member" : "owner";
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <span safe>{member.name}</span>
          <NotStaffMark ask={ask} who={member} />
        </p>
        <p class="row-meta">
          <span safe>{`@${member.username}`}</span> · {ask.words.workspaces.roles[member.role]} ·{" "}
          {words.joined({ when: <Ago ask={ask} at={member.joinedAt} /> })}
        </p>
      </div>
      {isOwner && !isMe && (
        <div class="actions">
          <Form
            action={`${base}/role`}
            ask={ask}
            kind="inline"
            label={words.roleOf({ username: member.username })}
          >
            <input type="hidden" name="role" value={other} />
            <Button kind="quiet">{other === "owner" ? words.makeOwner : words.makeMember}</Button>
          </Form>
          <Form
            action={`${base}/remove`}
            ask={ask}
            kind="inline"
            label={words.removeOf({ username: member.username })}
          >
            <Button kind="danger">{words.remove}</Button>
          </Form>
        </div>
      )}
    </li>
  );
}

function OwnerParts({
  ask,
  workspace,
  error,
}: {
  ask: PersonAsk;
  workspace: OwnWorkspace;
  error: CoreError | undefined;
}) {
  const words = ask.words.workspaces.invitations;
  const invitations = listInvitations(ask.core, ask.person.caller, workspace.id);
  const naming = formOf(ask, WorkspaceDraft, {
    words: ask.words.workspaces.naming,
    error,
    stored: workspace,
  });
  return (
    <>
      <section class="part">
        <h2>{words.title}</h2>
        <p class="hint">{words.lead}</p>
        {invitations.length > 0 && (
          <ul class="rows with-space">
            {invitations.map((invitation) => (
              <li>
                <div class="row-main">
                  <p class="row-title" dir="auto">
                    {words.open}
                  </p>
                  <p class="row-meta">
                    {words.by({
                      inviter: <span safe>{`@${invitation.invitedBy}`}</span>,
                      when: <Ago ask={ask} at={invitation.expiresAt} />,
                    })}
                  </p>
                </div>
                <Form
                  action={`${HERE}/${workspace.id}/invitations/${invitation.id}/withdraw`}
                  ask={ask}
                  kind="inline"
                >
                  <Button kind="quiet">{words.withdraw}</Button>
                </Form>
              </li>
            ))}
          </ul>
        )}
        <InviteForm ask={ask} action={`${HERE}/${workspace.id}/invitations`} error={error}>
          {words.make}
        </InviteForm>
      </section>
      <section class="part">
        <h2>{ask.words.workspaces.naming.title}</h2>
        <Form action={`${HERE}/${workspace.id}`} ask={ask} kind="stack">
          <naming.Field name="name" of="label" />
          <Submit kind="quiet">{ask.words.workspaces.naming.rename}</Submit>
        </Form>
      </section>
    </>
  );
}

function Stop({ ask, workspace, isOwner }: { ask: PersonAsk; workspace: OwnWorkspace; isOwner: boolean }) {
  const words = ask.words.workspaces.stop;
  return (
    <section class="part">
      <h2>{isOwner ? words.title : words.leaveTitle}</h2>
      <p class="hint">{isOwner ? words.lead : words.leaveLead}</p>
      <div class="actions">
        <Form action={`${HERE}/${workspace.id}/leave`} ask={ask} kind="inline">
          <Button kind="quiet">{words.leave}</Button>
        </Form>
        {isOwner && (
          <Form action={`${HERE}/${workspace.id}/delete`} ask={ask} kind="inline">
            <Button kind="danger">{words.delete}</Button>
          </Form>
        )}
      </div>
    </section>
  );
}

function joinView(ask: PersonAsk): View {
  const words = ask.words.workspaces.join;
  const token = ask.query.get("token") ?? "";
  const { workspace, invitedBy } = peekInvitation(ask.core, ask.person.caller, token);
  return {
    title: words.title,
    isPlain: true,
    body: (
      <>
        <Heading title={words.heading({ workspace: workspace.name })}>
          <p safe>{words.lead({ inviter: invitedBy })}</p>
        </Heading>
        <Form action="/join" ask={ask} kind="stack">
          <input type="hidden" name="token" value={token} />
          <Button>{words.button}</Button>
        </Form>
      </>
    ),
  };
}
