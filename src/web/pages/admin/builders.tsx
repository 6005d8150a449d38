/** @jsxImportSource @kitajs/html */
import { isAtLeast, mayActOn, type AccountAction } from "../../../core/identity/access/roles.ts";
import { makeClaim, originOf } from "../../../core/services/imported/imported.ts";
import { deleteAccount } from "../../../core/services/deletion/deletion.ts";
import { listPendingDeletions, undoDeletion } from "../../../core/services/deletion/pending.ts";
import { invitationOf } from "../../../core/identity/accounts/invites.ts";
import { makeRecovery } from "../../../core/identity/accounts/passwords.ts";
import {
  findInMemberList,
  listBuilders,
  type MemberListEntry,
} from "../../../core/identity/builders/member-list.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { restoreBuilder, suspendBuilder } from "../../../core/services/moderation/moderation.ts";
import { field, showAgainOnError } from "../../request/forms.ts";
import {
  Ago,
  Button,
  Card,
  Fault,
  Field,
  Form,
  More,
  Rows,
  Secret,
  Submit,
  Time,
} from "../../parts/parts.tsx";
import { ConfirmUsername } from "../../parts/confirm-username.tsx";
import { filterOf, nextAddress, pageRequest } from "../../request/paging.ts";
import {
  adminPage,
  moderatorPage,
  type Notice,
  type PersonAsk,
  type View,
  type PageAsk,
} from "../../request/route.ts";
import { AdminHead } from "./head.tsx";
import { NewcomerPart } from "./vouching.tsx";
import { withReauthentication, reauthenticatedForm } from "../entry/reauthentication.tsx";
import { giveRole, handOver, RoleDraft } from "../../../core/identity/accounts/administration.ts";
import { check } from "../../../core/base/check.ts";
import { OWN_SECURING } from "../account/securing.tsx";
import { RoleMark, NotStaffMark } from "../../parts/role-mark.tsx";
import { RolePart } from "./role.tsx";

const HERE = "/admin/builders";

/** Everybody who lives here, and what an admin can do for or against them. */
export const adminBuilderPages = [
  moderatorPage("GET", HERE, (ask) => listView(ask)),
  moderatorPage("GET", `${HERE}/:username`, (ask) => builderView(ask)),
  moderatorPage(
    "POST",
    `${HERE}/:username/suspend`,
    withReauthentication(pageOf, (ask) =>
      act(ask, "builder-suspended", () => suspendBuilder(ask.core, ask.person.caller, nameOf(ask))),
    ),
  ),
  moderatorPage(
    "POST",
    `${HERE}/:username/restore`,
    withReauthentication(pageOf, (ask) =>
      act(ask, "builder-restored", () => restoreBuilder(ask.core, ask.person.caller, nameOf(ask))),
    ),
  ),
  // Moderators give a role up, too, which is their own.
  moderatorPage(
    "POST",
    `${HERE}/:username/role`,
    withReauthentication(pageOf, async (ask) => {
      const { role } = check(RoleDraft, { role: field(ask.form, "role") });
      const answer = await act(ask, "role-given", () =>
        giveRole(ask.core, ask.person.caller, nameOf(ask), role),
      );
      // Whoever has given theirs up has no such page to come back to.
      const isGone = nameOf(ask) === ask.person.caller.username && role === "member";
      return isGone && "to" in answer ? { ...answer, to: "/" } : answer;
    }),
  ),
  adminPage(
    "POST",
    `${HERE}/:username/hand-over`,
    withReauthentication(pageOf, (ask) =>
      act(ask, "handed-over", () =>
        handOver(ask.core, ask.person.caller, nameOf(ask), field(ask.form, "new_owner")),
      ),
    ),
  ),
  reauthenticatedForm(adminPage, `${HERE}/:username/recovery`, pageOf, builderView, async (ask) => {
    const { core, person } = ask;
    const isUnclaimed =
      unclaimedOrigin(ask, findInMemberList(core, person.caller, nameOf(ask))) !== undefined;
    const make = isUnclaimed ? makeClaim : makeRecovery;
    const made = await ask.write(() => make(core, person.caller, nameOf(ask)));
    return recoveryView(ask, made);
  }),
  reauthenticatedForm(adminPage, `${HERE}/:username/delete`, pageOf, builderView, async (ask) => {
    const { core, person, form } = ask;
    await core.db.write(() => deleteAccount(core, person.caller, nameOf(ask), field(form, "username")));
    return { to: HERE, notice: "builder-deleted" };
  }),
  reauthenticatedForm(adminPage, `${HERE}/:username/undelete`, HERE, listView, async (ask) => {
    await ask.write(() => undoDeletion(ask.core, ask.person.caller, nameOf(ask)));
    return { to: `${HERE}/${nameOf(ask)}`, notice: "builder-undeleted" };
  }),
];

function pageOf(ask: PersonAsk): string {
  return `${HERE}/${nameOf(ask)}`;
}

function act(ask: PersonAsk, notice: Notice, work: () => unknown) {
  return showAgainOnError(
    async () => {
      await ask.write(work);
      return { to: pageOf(ask), notice };
    },
    (error) => builderView(ask, error),
  );
}

function nameOf({ params }: PersonAsk): string {
  return params["username"] ?? "";
}

/** Accounts that wait to be erased, for owners, who can bring them back. */
function PendingDeletions({ ask }: { ask: PersonAsk }) {
  if (ask.person.role !== "owner") return "";
  const words = ask.words.adminMembers.pending;
  const pending = listPendingDeletions(ask.core, ask.person.caller);
  if (pending.length === 0) return "";
  return (
    <section class="part">
      <h2>{words.title}</h2>
      <p class="hint">{words.lead}</p>
      <ul class="rows">
        {pending.map(({ username, deletedBy, deletedAt, erasedAt }) => (
          <li>
            <div class="row-main">
              <p class="row-title" dir="auto" safe>{`@${username}`}</p>
              <p class="row-meta">
                {(deletedBy === null ? words.dates : words.datesBy)({
                  deleted: <Time ask={ask} at={deletedAt} />,
                  erased: <Time ask={ask} at={erasedAt} />,
                  deleter: <span safe>{`@${deletedBy}`}</span>,
                })}
              </p>
            </div>
            <Form
              action={`${HERE}/${username}/undelete`}
              ask={ask}
              kind="inline"
              label={words.undoOf({ username })}
            >
              <Button kind="quiet">{words.undo}</Button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}

function listView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.adminMembers;
  const { core, person } = ask;
  const username = filterOf(ask, "username");
  const page = listBuilders(core, person.caller, { username }, pageRequest(ask));
  return {
    title: ask.words.admin.places.builders,
    error,
    body: (
      <>
        <AdminHead ask={ask} title={ask.words.admin.places.builders} />
        <Fault ask={ask} error={error} />
        <PendingDeletions ask={ask} />
        <form class="find" action={HERE} role="search">
          <Field name="username" label={words.username} type="search" value={username ?? ""} maxlength={40} />
          <Button kind="quiet">{words.find}</Button>
        </form>
        <Rows
          nodes={page.nodes}
          empty={words.nobody}
          lead={words.nobodyLead}
          row={(builder) => <BuilderRow builder={builder} ask={ask} />}
        />
        <More ask={ask} href={nextAddress(ask, page)} words={words.more} />
      </>
    ),
  };
}

export function BuilderRow({ builder, ask }: { builder: MemberListEntry; ask: PageAsk }) {
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={`${HERE}/${builder.username}`} safe>{`@${builder.username}`}</a>
        </p>
        <p class="row-meta">
          <bdi safe>{builder.name}</bdi>
          <NotStaffMark ask={ask} who={builder} /> ·{" "}
          {ask.words.adminMembers.joined({ when: <Ago ask={ask} at={builder.createdAt} /> })}
        </p>
      </div>
      <Standing ask={ask} builder={builder} />
    </li>
  );
}

function Standing({ ask, builder }: { ask: PageAsk; builder: MemberListEntry }) {
  const words = ask.words.adminMembers;
  return (
    <span>
      <RoleMark ask={ask} role={builder.role} />{" "}
      {builder.suspendedAt === null ? "" : <span class="badge bad">{words.suspended}</span>}
    </span>
  );
}

function builderView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.adminMembers.builder;
  const { core, person } = ask;
  const builder = findInMemberList(core, person.caller, nameOf(ask));
  const isSelf = builder.id === person.caller.builderId;
  const may = (touch: AccountAction): boolean => mayActOn(person.role, touch, builder.role);
  return {
    title: `@${builder.username}`,
    error,
    body: (
      <>
        <AdminHead ask={ask} title={`@${builder.username}`} action={<Standing ask={ask} builder={builder} />}>
          <p>
            {words.lead({
              name: <bdi safe>{builder.name}</bdi>,
              when: <Time ask={ask} at={builder.createdAt} />,
              address: `/@${builder.username}`,
            })}
          </p>
          {isAtLeast(person.role, "admin") ? <Invited ask={ask} builder={builder} /> : ""}
        </AdminHead>
        <Fault ask={ask} error={error} fields={["username", "new_owner"]} />
        {builder.suspendedAt !== null && may("suspend") ? (
          <Locked ask={ask} builder={builder} at={builder.suspendedAt} />
        ) : (
          ""
        )}
        {isAtLeast(person.role, "admin") ? <NewcomerPart ask={ask} builder={builder} /> : ""}
        {may("recover") || (isSelf && isAtLeast(person.role, "admin")) ? (
          <WayIn ask={ask} builder={builder} />
        ) : (
          ""
        )}
        {may("secure") || isSelf ? (
          <section class="part">
            <h2>{words.intruder}</h2>
            <p class="hint">{words.intruderLead}</p>
            <p>
              <a class="button quiet" href={isSelf ? OWN_SECURING : `${HERE}/${builder.username}/secure`}>
                {words.secure}
              </a>
            </p>
          </section>
        ) : (
          ""
        )}
        <RolePart ask={ask} builder={builder} action={pageOf(ask)} error={error} />
        {builder.suspendedAt === null && may("suspend") ? (
          <section class="part">
            <h2>{words.suspend}</h2>
            <p class="hint">{words.suspendLead}</p>
            <Act ask={ask} builder={builder} act="suspend" words={words.suspendButton} kind="danger" />
          </section>
        ) : (
          ""
        )}
        {may("delete") ? <Deletion ask={ask} builder={builder} error={error} /> : ""}
      </>
    ),
  };
}

/** The member whose invitation they used, if any. */
function Invited({ ask, builder }: { ask: PersonAsk; builder: MemberListEntry }) {
  const words = ask.words.adminMembers.builder;
  const invitation = invitationOf(ask.core, ask.person.caller, builder.id);
  if (!invitation) return "";
  const { invitedBy, label } = invitation;
  return (
    <p>
      {(label === "" ? words.invited : words.invitedAs)({
        inviter:
          invitedBy === null ? (
            <span safe>{words.nobodyInParticular}</span>
          ) : (
            <a href={`${HERE}/${invitedBy}`} safe>{`@${invitedBy}`}</a>
          ),
        label: <bdi safe>{label}</bdi>,
      })}
    </p>
  );
}

function Deletion({
  ask,
  builder,
  error,
}: {
  ask: PersonAsk;
  builder: MemberListEntry;
  error: CoreError | undefined;
}) {
  const words = ask.words.adminMembers.builder;
  return (
    <section class="part">
      <h2>{words.delete}</h2>
      <p class="hint">{words.deleteLead}</p>
      <Form action={`${HERE}/${builder.username}/delete`} ask={ask} kind="stack narrow">
        <ConfirmUsername ask={ask} username={builder.username} error={error} />
        <Submit kind="danger">{words.deleteButton}</Submit>
      </Form>
    </section>
  );
}

function Locked({ ask, builder, at }: { ask: PersonAsk; builder: MemberListEntry; at: number }) {
  const words = ask.words.adminMembers.builder;
  return (
    <Card kind="danger" title={ask.words.adminMembers.suspended}>
      <p>{words.suspendedSince({ when: <Time ask={ask} at={at} /> })}</p>
      <p>
        <Act ask={ask} builder={builder} act="restore" words={words.letIn} kind="primary" />
      </p>
    </Card>
  );
}

/** A link by which they set a password: the next one, or the first of an account that was imported. */
function WayIn({ ask, builder }: { ask: PersonAsk; builder: MemberListEntry }) {
  const words = ask.words.adminMembers.wayIn;
  const origin = unclaimedOrigin(ask, builder);
  return (
    <section class="part">
      <h2>{origin ? words.unclaimed : words.forgotten}</h2>
      {origin && (
        <p class="hint">{words.imported({ origin: <span safe>{`${origin.host}/@${origin.name}`}</span> })}</p>
      )}
      <p class="hint">{origin ? words.claimLead : words.recoveryLead}</p>
      <Act ask={ask} builder={builder} act="recovery" words={origin ? words.claim : words.recovery} />
    </section>
  );
}

function unclaimedOrigin({ core }: PersonAsk, { id }: MemberListEntry) {
  const origin = originOf(core, id);
  return origin?.isClaimed === false ? origin : undefined;
}

function Act({
  ask,
  builder,
  act,
  words,
  kind = "quiet",
}: {
  ask: PersonAsk;
  builder: MemberListEntry;
  act: string;
  words: string;
  kind?: "quiet" | "danger" | "primary";
}) {
  return (
    <Form action={`${HERE}/${builder.username}/${act}`} ask={ask} kind="inline">
      <Button kind={kind}>{words}</Button>
    </Form>
  );
}

function recoveryView(ask: PersonAsk, { url, expiresAt }: { url: string; expiresAt: number }): View {
  const words = ask.words.adminMembers.recovery;
  return {
    title: words.title,
    body: (
      <>
        <AdminHead ask={ask} title={words.title}>
          <p safe>{words.of({ username: nameOf(ask) })}</p>
        </AdminHead>
        <Secret label={words.label} value={url}>
          <p>{words.copy({ when: <Time ask={ask} at={expiresAt} /> })}</p>
        </Secret>
        <p>
          <a href={`${HERE}/${nameOf(ask)}`}>{words.back}</a>
        </p>
      </>
    ),
  };
}
