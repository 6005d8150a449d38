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
  MEMBER_STANDINGS,
  type MemberListEntry,
} from "../../../core/identity/builders/member-list.ts";
import type { Page } from "../../../core/base/page.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { field, showAgainOnError } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Card, Empty, Fault, Form, More, Secret, Submit, Time } from "../../parts/parts.tsx";
import { ConfirmUsername } from "../../parts/confirm-username.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import {
  adminPage,
  moderatorPage,
  type Notice,
  type PersonContext,
  type View,
  type PageContext,
} from "../../request/route.ts";
import {
  ChoiceFilter,
  FilterForm,
  memberFilter,
  SelectionForm,
  SelectRow,
  showFilterAgain,
  TextFilter,
} from "./filters.tsx";
import { NewcomerPart } from "./vouching.tsx";
import { keepingForm, reauthenticatedForm } from "../entry/reauthentication.tsx";
import { changeRole, transferOwnership, RoleDraft } from "../../../core/identity/accounts/administration.ts";
import { check } from "../../../core/base/check.ts";
import { OWN_SECURING } from "../account/securing.tsx";
import { RoleMark, NotStaffMark } from "../../parts/role-mark.tsx";
import { casePath } from "../../parts/moderate-menu.tsx";
import { RolePart } from "./role.tsx";

const HERE = "/admin/builders";

/** The member list, and everything that admins can do with a member. */
export const adminBuilderPages = [
  moderatorPage("GET", HERE, (ctx) =>
    showFilterAgain(
      () => listView(ctx),
      (error) => listView(ctx, error, null),
    ),
  ),
  moderatorPage("GET", `${HERE}/:username`, (ctx) => builderView(ctx)),
  // Moderators may use this form too, because they may give up their own role.
  moderatorPage(
    "POST",
    `${HERE}/:username/role`,
    keepingForm(pageOf, async (ctx) => {
      const { role } = check(RoleDraft, { role: field(ctx.form, "role") });
      const answer = await actOnBuilder(ctx, "role-given", () =>
        changeRole(ctx.core, ctx.person.caller, nameOf(ctx), role),
      );
      // A moderator who gave up the role can no longer open this page.
      const isGone = nameOf(ctx) === ctx.person.caller.username && role === "member";
      return isGone && "to" in answer ? { ...answer, to: "/" } : answer;
    }),
  ),
  adminPage(
    "POST",
    `${HERE}/:username/hand-over`,
    keepingForm(pageOf, (ctx) =>
      actOnBuilder(ctx, "handed-over", () =>
        transferOwnership(ctx.core, ctx.person.caller, nameOf(ctx), field(ctx.form, "new_owner")),
      ),
    ),
  ),
  reauthenticatedForm(adminPage, `${HERE}/:username/recovery`, pageOf, builderView, async (ctx) => {
    const { core, person } = ctx;
    const isUnclaimed =
      unclaimedOrigin(ctx, findInMemberList(core, person.caller, nameOf(ctx))) !== undefined;
    const createLink = isUnclaimed ? makeClaim : makeRecovery;
    const made = await ctx.write(() => createLink(core, person.caller, nameOf(ctx)));
    return recoveryView(ctx, made);
  }),
  reauthenticatedForm(adminPage, `${HERE}/:username/delete`, pageOf, builderView, async (ctx) => {
    const { core, person, form } = ctx;
    await core.db.write(() => deleteAccount(core, person.caller, nameOf(ctx), field(form, "username")));
    return { to: HERE, notice: "builder-deleted" };
  }),
  reauthenticatedForm(adminPage, `${HERE}/:username/undelete`, HERE, listView, async (ctx) => {
    await ctx.write(() => undoDeletion(ctx.core, ctx.person.caller, nameOf(ctx)));
    return { to: `${HERE}/${nameOf(ctx)}`, notice: "builder-undeleted" };
  }),
];

function pageOf(ctx: PersonContext): string {
  return `${HERE}/${nameOf(ctx)}`;
}

function actOnBuilder(ctx: PersonContext, notice: Notice, work: () => unknown) {
  return showAgainOnError(
    async () => {
      await ctx.write(work);
      return { to: pageOf(ctx), notice };
    },
    (error) => builderView(ctx, error),
  );
}

function nameOf({ params }: PersonContext): string {
  return params["username"] ?? "";
}

/** Accounts that wait to be erased. Owners can restore them. */
function PendingDeletions({ ctx }: { ctx: PersonContext }) {
  if (ctx.person.role !== "owner") return "";
  const messages = ctx.messages.adminMembers.pending;
  const pending = listPendingDeletions(ctx.core, ctx.person.caller);
  if (pending.length === 0) return "";
  return (
    <section class="part">
      <h2>{messages.title}</h2>
      <p class="hint">{messages.lead}</p>
      <ul class="rows">
        {pending.map(({ username, deletedBy, deletedAt, erasedAt }) => (
          <li>
            <div class="row-main">
              <p class="row-title" dir="auto" safe>{`@${username}`}</p>
              <p class="row-meta">
                {(deletedBy === null ? messages.dates : messages.datesBy)({
                  deleted: <Time ctx={ctx} at={deletedAt} />,
                  erased: <Time ctx={ctx} at={erasedAt} />,
                  deleter: <span safe>{`@${deletedBy}`}</span>,
                })}
              </p>
            </div>
            <Form
              action={`${HERE}/${username}/undelete`}
              ctx={ctx}
              kind="inline"
              label={messages.undoOf({ username })}
            >
              <Button kind="quiet">{messages.undo}</Button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}

function membersOf(ctx: PersonContext): Page<MemberListEntry> {
  return listBuilders(ctx.core, ctx.person.caller, memberFilter(ctx), pageRequest(ctx));
}

/** The list of members. `page` is null if the filter names an unknown member. */
export function listView(
  ctx: PersonContext,
  error?: CoreError,
  page: Page<MemberListEntry> | null = membersOf(ctx),
): View {
  const messages = ctx.messages.adminMembers;
  const { filters } = ctx.messages.desk;
  const wrong = page === null ? error : undefined;
  return {
    title: ctx.messages.admin.places.builders,
    error,
    body: (
      <>
        <Heading title={ctx.messages.admin.places.builders} />
        <Fault ctx={ctx} error={error} fields={["username", "inviter", "network"]} />
        <PendingDeletions ctx={ctx} />
        <FilterForm ctx={ctx} action={HERE} error={wrong}>
          <TextFilter ctx={ctx} name="username" label={messages.username} error={wrong} />
          <ChoiceFilter
            ctx={ctx}
            name="standing"
            label={filters.standing}
            names={MEMBER_STANDINGS}
            of={filters.standings}
          />
          <TextFilter ctx={ctx} name="linkHost" label={filters.linkHost} />
          <TextFilter ctx={ctx} name="inviter" label={filters.inviter} error={wrong} />
          <TextFilter ctx={ctx} name="network" label={filters.network} error={wrong} />
        </FilterForm>
        {page && page.nodes.length > 0 ? (
          <SelectionForm ctx={ctx} of="members" acts={["warn", "limit", "suspend"]}>
            <ul class="rows">
              {page.nodes.map((builder) => (
                <BuilderRow builder={builder} ctx={ctx} isSelectable />
              ))}
            </ul>
          </SelectionForm>
        ) : error ? (
          ""
        ) : (
          <Empty title={messages.nobody}>
            <p>{messages.nobodyLead}</p>
          </Empty>
        )}
        {page ? <More ctx={ctx} href={nextAddress(ctx, page)} label={messages.more} /> : ""}
      </>
    ),
  };
}

export function BuilderRow({
  builder,
  ctx,
  isSelectable = false,
}: {
  builder: MemberListEntry;
  ctx: PageContext;
  /** Whether the row has a check box, in a `SelectionForm`. */
  isSelectable?: boolean;
}) {
  return (
    <li>
      {isSelectable ? <SelectRow ctx={ctx} id={builder.id} name={`@${builder.username}`} /> : ""}
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={`${HERE}/${builder.username}`} safe>{`@${builder.username}`}</a>
        </p>
        <p class="row-meta">
          <bdi safe>{builder.name}</bdi>
          <NotStaffMark ctx={ctx} who={builder} /> ·{" "}
          {ctx.messages.adminMembers.joined({ when: <Ago ctx={ctx} at={builder.createdAt} /> })}
        </p>
      </div>
      <Standing ctx={ctx} builder={builder} />
    </li>
  );
}

function Standing({ ctx, builder }: { ctx: PageContext; builder: MemberListEntry }) {
  const messages = ctx.messages.adminMembers;
  return (
    <span>
      <RoleMark ctx={ctx} role={builder.role} />{" "}
      {builder.suspendedAt === null ? "" : <span class="badge bad">{messages.suspended}</span>}
    </span>
  );
}

function builderView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.adminMembers.builder;
  const { core, person } = ctx;
  const builder = findInMemberList(core, person.caller, nameOf(ctx));
  const isSelf = builder.id === person.caller.builderId;
  const mayDo = (touch: AccountAction): boolean => mayActOn(person.role, touch, builder.role);
  return {
    title: `@${builder.username}`,
    error,
    body: (
      <>
        <Heading title={`@${builder.username}`} action={<Standing ctx={ctx} builder={builder} />}>
          <p>
            {messages.lead({
              name: <bdi safe>{builder.name}</bdi>,
              when: <Time ctx={ctx} at={builder.createdAt} />,
              address: `/@${builder.username}`,
            })}
          </p>
          {isAtLeast(person.role, "admin") ? <InvitedBy ctx={ctx} builder={builder} /> : ""}
        </Heading>
        <Fault ctx={ctx} error={error} fields={["username", "new_owner"]} />
        {builder.suspendedAt !== null && mayDo("suspend") ? (
          <Locked ctx={ctx} builder={builder} at={builder.suspendedAt} />
        ) : (
          ""
        )}
        {isAtLeast(person.role, "admin") ? <NewcomerPart ctx={ctx} builder={builder} /> : ""}
        {mayDo("recover") || (isSelf && isAtLeast(person.role, "admin")) ? (
          <PasswordLink ctx={ctx} builder={builder} />
        ) : (
          ""
        )}
        {mayDo("secure") || isSelf ? (
          <section class="part">
            <h2>{messages.intruder}</h2>
            <p class="hint">{messages.intruderLead}</p>
            <p>
              <a class="button quiet" href={isSelf ? OWN_SECURING : `${HERE}/${builder.username}/secure`}>
                {messages.secure}
              </a>
            </p>
          </section>
        ) : (
          ""
        )}
        <RolePart ctx={ctx} builder={builder} action={pageOf(ctx)} error={error} />
        {builder.suspendedAt === null && mayDo("suspend") ? (
          <section class="part">
            <h2>{messages.suspend}</h2>
            <p class="hint">{messages.suspendLead}</p>
            <p>
              <a class="button quiet" href={casePath(builder.id, "suspend")}>
                {messages.suspendButton}
              </a>
            </p>
          </section>
        ) : (
          ""
        )}
        {mayDo("delete") ? <Deletion ctx={ctx} builder={builder} error={error} /> : ""}
      </>
    ),
  };
}

/** The member whose invitation this builder used, if any. */
function InvitedBy({ ctx, builder }: { ctx: PersonContext; builder: MemberListEntry }) {
  const messages = ctx.messages.adminMembers.builder;
  const invitation = invitationOf(ctx.core, ctx.person.caller, builder.id);
  if (!invitation) return "";
  const { invitedBy, label } = invitation;
  return (
    <p>
      {(label === "" ? messages.invited : messages.invitedAs)({
        inviter:
          invitedBy === null ? (
            <span safe>{messages.nobodyInParticular}</span>
          ) : (
            <a href={`${HERE}/${invitedBy}`} safe>{`@${invitedBy}`}</a>
          ),
        label: <bdi safe>{label}</bdi>,
      })}
    </p>
  );
}

function Deletion({
  ctx,
  builder,
  error,
}: {
  ctx: PersonContext;
  builder: MemberListEntry;
  error: CoreError | undefined;
}) {
  const messages = ctx.messages.adminMembers.builder;
  return (
    <section class="part">
      <h2>{messages.delete}</h2>
      <p class="hint">{messages.deleteLead}</p>
      <Form action={`${HERE}/${builder.username}/delete`} ctx={ctx} kind="stack narrow">
        <ConfirmUsername ctx={ctx} username={builder.username} error={error} />
        <Submit kind="danger">{messages.deleteButton}</Submit>
      </Form>
    </section>
  );
}

function Locked({ ctx, builder, at }: { ctx: PersonContext; builder: MemberListEntry; at: number }) {
  const messages = ctx.messages.adminMembers.builder;
  return (
    <Card kind="danger" title={ctx.messages.adminMembers.suspended}>
      <p>{messages.suspendedSince({ when: <Time ctx={ctx} at={at} /> })}</p>
      <p>
        <a class="button primary" href={casePath(builder.id, "unsuspend")}>
          {messages.letIn}
        </a>
      </p>
    </Card>
  );
}

/** A link to set a new password, or the first password of an imported account. */
function PasswordLink({ ctx, builder }: { ctx: PersonContext; builder: MemberListEntry }) {
  const messages = ctx.messages.adminMembers.wayIn;
  const origin = unclaimedOrigin(ctx, builder);
  return (
    <section class="part">
      <h2>{origin ? messages.unclaimed : messages.forgotten}</h2>
      {origin && (
        <p class="hint">
          {messages.imported({ origin: <span safe>{`${origin.host}/@${origin.name}`}</span> })}
        </p>
      )}
      <p class="hint">{origin ? messages.claimLead : messages.recoveryLead}</p>
      <Act ctx={ctx} builder={builder} act="recovery" label={origin ? messages.claim : messages.recovery} />
    </section>
  );
}

function unclaimedOrigin({ core }: PersonContext, { id }: MemberListEntry) {
  const origin = originOf(core, id);
  return origin?.isClaimed === false ? origin : undefined;
}

function Act({
  ctx,
  builder,
  act,
  label,
}: {
  ctx: PersonContext;
  builder: MemberListEntry;
  act: string;
  label: string;
}) {
  return (
    <Form action={`${HERE}/${builder.username}/${act}`} ctx={ctx} kind="inline">
      <Button kind="quiet">{label}</Button>
    </Form>
  );
}

function recoveryView(ctx: PersonContext, { url, expiresAt }: { url: string; expiresAt: number }): View {
  const messages = ctx.messages.adminMembers.recovery;
  return {
    title: messages.title,
    body: (
      <>
        <Heading title={messages.title}>
          <p safe>{messages.of({ username: nameOf(ctx) })}</p>
        </Heading>
        <Secret label={messages.label} value={url}>
          <p>{messages.copy({ when: <Time ctx={ctx} at={expiresAt} /> })}</p>
        </Secret>
        <p>
          <a href={`${HERE}/${nameOf(ctx)}`}>{messages.back}</a>
        </p>
      </>
    ),
  };
}
