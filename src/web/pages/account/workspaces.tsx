/** @jsxImportSource @kitajs/html */
import { check } from "../../../core/ground/check.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
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
import { field, orAgain, posted } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Fault, boundFields, Form, Secret, Submit } from "../../parts/parts.tsx";
import { type PersonAsk, personal, type View } from "../../request/route.ts";
import { afterProof } from "../entry/proof.tsx";
import type { Member } from "../../../core/identity/members/members.ts";

const HERE = "/settings/workspaces";

/** Workspaces: what tokens, apps and webhooks belong to, alone or with others. */
export const workspacePages = [
  personal("GET", HERE, (ask) => listView(ask)),
  posted(personal, HERE, listView, async (ask) => {
    const draft = check(WorkspaceDraft, { name: field(ask.form, "name") });
    const { caller } = ask.person;
    const id = await ask.write(() => createWorkspace(ask.core, caller, caller.username, draft));
    return { to: `${HERE}/${id}`, notice: "workspace-made" };
  }),
  personal("GET", `${HERE}/:id`, (ask) => workspaceView(ask)),
  personal("POST", `${HERE}/:id`, (ask) =>
    again(ask, async () => {
      const change = check(WorkspaceDraft, { name: field(ask.form, "name") });
      await ask.write(() => renameWorkspace(ask.core, ask.person.caller, idOf(ask), change));
      return { to: `${HERE}/${idOf(ask)}`, notice: "saved" };
    }),
  ),
  personal(
    "POST",
    `${HERE}/:id/invitations`,
    afterProof(addressOf, (ask) =>
      again(ask, async () => {
        const { url } = await ask.write(() => inviteMember(ask.core, ask.person.caller, idOf(ask)));
        return workspaceView(ask, { link: url });
      }),
    ),
  ),
  personal("POST", `${HERE}/:id/invitations/:link/withdraw`, async (ask) => {
    await ask.write(() =>
      withdrawInvitation(ask.core, ask.person.caller, idOf(ask), ask.params["link"] ?? ""),
    );
    return { to: `${HERE}/${idOf(ask)}`, notice: "link-withdrawn" };
  }),
  personal(
    "POST",
    `${HERE}/:id/members/:username/remove`,
    afterProof(addressOf, (ask) =>
      again(ask, async () => {
        await ask.write(() =>
          removeMember(ask.core, ask.person.caller, idOf(ask), ask.params["username"] ?? ""),
        );
        return { to: `${HERE}/${idOf(ask)}`, notice: "member-removed" };
      }),
    ),
  ),
  personal(
    "POST",
    `${HERE}/:id/members/:username/role`,
    afterProof(addressOf, (ask) =>
      again(ask, async () => {
        const role = ask.form.get("role") === "owner" ? "owner" : "member";
        await ask.write(() =>
          setRole(ask.core, ask.person.caller, idOf(ask), ask.params["username"] ?? "", role),
        );
        return { to: `${HERE}/${idOf(ask)}`, notice: "saved" };
      }),
    ),
  ),
  personal("POST", `${HERE}/:id/leave`, (ask) =>
    again(ask, async () => {
      await ask.write(() => leaveWorkspace(ask.core, ask.person.caller, idOf(ask)));
      return { to: HERE, notice: "workspace-left" };
    }),
  ),
  personal(
    "POST",
    `${HERE}/:id/delete`,
    afterProof(addressOf, (ask) =>
      again(ask, async () => {
        await ask.write(() => deleteWorkspace(ask.core, ask.person.caller, idOf(ask)));
        return { to: HERE, notice: "workspace-deleted" };
      }),
    ),
  ),
  personal("GET", "/join", (ask) => joinView(ask)),
  personal("POST", "/join", async (ask) => {
    const id = await ask.write(() => joinWorkspace(ask.core, ask.person.caller, ask.form.get("token") ?? ""));
    return { to: `${HERE}/${id}`, notice: "workspace-joined" };
  }),
];

function again(ask: PersonAsk, work: () => ReturnType<Parameters<typeof orAgain>[0]>) {
  return orAgain(work, (error) => workspaceView(ask, { error }));
}

function addressOf(ask: PersonAsk): string {
  return `${HERE}/${idOf(ask)}`;
}

function idOf({ params }: PersonAsk): string {
  return params["id"] ?? "";
}

function listView(ask: PersonAsk, error?: CoreError): View {
  const { core, person } = ask;
  const workspaces = listWorkspaces(core, person.caller, person.caller.username);
  const { Field } = boundFields(ask, error);
  return {
    title: "Workspaces",
    section: "workspaces",
    error,
    body: (
      <>
        <Heading title="Workspaces">
          <p>
            Tokens, apps and webhooks belong to a workspace. Yours is yours alone; a shared one has several
            people.
          </p>
        </Heading>
        <ul class="rows">
          {workspaces.map((workspace) => (
            <WorkspaceRow workspace={workspace} />
          ))}
        </ul>
        <section class="part">
          <h2>A new shared workspace</h2>
          <Form action={HERE} token={ask.formToken} kind="stack">
            <Fault ask={ask} error={error} fields={["name"]} />
            <Field name="name" label="Name" placeholder="Tidewater tools" maxlength={100} required />
            <Submit>Make it</Submit>
          </Form>
        </section>
      </>
    ),
  };
}

function WorkspaceRow({ workspace }: { workspace: OwnWorkspace }) {
  if (workspace.isPersonal) {
    return (
      <li>
        <div class="row-main">
          <p class="row-title" dir="auto">
            Personal
          </p>
          <p class="row-meta">Yours alone, for good</p>
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
        <p class="row-meta">{workspace.members === 1 ? "1 person" : `${workspace.members} people`}</p>
      </div>
      <span class="badge">{workspace.role === "owner" ? "Owner" : "Member"}</span>
    </li>
  );
}

function workspaceView(ask: PersonAsk, { error, link }: { error?: CoreError; link?: string } = {}): View {
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
            <a href={HERE}>All workspaces</a>
          </p>
        </Heading>
        <Fault ask={ask} error={error} fields={["name"]} />
        {link && (
          <Secret label="Invitation" value={link}>
            <p>Send it to one person. It works once, within seven days, and is not shown again.</p>
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
  const base = `${HERE}/${workspace.id}/members/${member.username}`;
  const isMe = member.builderId === ask.person.caller.builderId;
  const other = member.role === "owner" ? "member" : "owner";
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto" safe>
          {member.name}
        </p>
        <p class="row-meta">
          <span safe>{`@${member.username}`}</span> · {member.role === "owner" ? "Owner" : "Member"} · joined{" "}
          <Ago ask={ask} at={member.joinedAt} />
        </p>
      </div>
      {isOwner && !isMe && (
        <div class="actions">
          <Form
            action={`${base}/role`}
            token={ask.formToken}
            kind="inline"
            label={`Role of ${member.username}`}
          >
            <input type="hidden" name="role" value={other} />
            <Button kind="quiet">{other === "owner" ? "Make owner" : "Make member"}</Button>
          </Form>
          <Form
            action={`${base}/remove`}
            token={ask.formToken}
            kind="inline"
            label={`Remove ${member.username}`}
          >
            <Button kind="danger">Remove</Button>
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
  const invitations = listInvitations(ask.core, ask.person.caller, workspace.id);
  const { Field } = boundFields(ask, error, { name: workspace.name });
  return (
    <>
      <section class="part">
        <h2>Invite somebody</h2>
        <p class="hint">You get a link to send to one person. Whoever opens it, signed in, can join.</p>
        {invitations.length > 0 && (
          <ul class="rows with-space">
            {invitations.map((invitation) => (
              <li>
                <div class="row-main">
                  <p class="row-title" dir="auto">
                    An open invitation
                  </p>
                  <p class="row-meta">
                    <span safe>{`By @${invitation.invitedBy}`}</span>, ends{" "}
                    <Ago ask={ask} at={invitation.expiresAt} />
                  </p>
                </div>
                <Form
                  action={`${HERE}/${workspace.id}/invitations/${invitation.id}/withdraw`}
                  token={ask.formToken}
                  kind="inline"
                >
                  <Button kind="quiet">Withdraw</Button>
                </Form>
              </li>
            ))}
          </ul>
        )}
        <Form action={`${HERE}/${workspace.id}/invitations`} token={ask.formToken} kind="inline">
          <Button>Make an invitation</Button>
        </Form>
      </section>
      <section class="part">
        <h2>Name</h2>
        <Form action={`${HERE}/${workspace.id}`} token={ask.formToken} kind="stack">
          <Field name="name" label="What it is called" maxlength={100} required />
          <Submit kind="quiet">Rename</Submit>
        </Form>
      </section>
    </>
  );
}

function Stop({ ask, workspace, isOwner }: { ask: PersonAsk; workspace: OwnWorkspace; isOwner: boolean }) {
  return (
    <section class="part">
      <h2>{isOwner ? "Leave or delete" : "Leave"}</h2>
      <p class="hint">
        Your tokens and connected apps in this workspace stop working when you leave.
        {isOwner ? " Deleting ends them for everybody, with its webhooks and apps." : ""}
      </p>
      <div class="actions">
        <Form action={`${HERE}/${workspace.id}/leave`} token={ask.formToken} kind="inline">
          <Button kind="quiet">Leave the workspace</Button>
        </Form>
        {isOwner && (
          <Form action={`${HERE}/${workspace.id}/delete`} token={ask.formToken} kind="inline">
            <Button kind="danger">Delete the workspace</Button>
          </Form>
        )}
      </div>
    </section>
  );
}

function joinView(ask: PersonAsk): View {
  const token = ask.query.get("token") ?? "";
  const { workspace, invitedBy } = peekInvitation(ask.core, ask.person.caller, token);
  return {
    title: "Join a workspace",
    isPlain: true,
    body: (
      <>
        <Heading title={`Join ${workspace.name}`}>
          <p
            safe
          >{`@${invitedBy} invites you. Its members see its tokens' webhooks and apps, not your own.`}</p>
        </Heading>
        <Form action="/join" token={ask.formToken} kind="stack">
          <input type="hidden" name="token" value={token} />
          <Button>Join the workspace</Button>
        </Form>
      </>
    ),
  };
}
