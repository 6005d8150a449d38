/** @jsxImportSource @kitajs/html */
import { check } from "../../../core/base/check.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import {
  AnswerDraft,
  type Application,
  approveApplication,
  declineApplication,
  listApplications,
} from "../../../core/identity/applications/applications.ts";
import { communitySettingsOf } from "../../../core/identity/community-settings/community-settings.ts";
import { showAgainOnError, prose } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Fault, Form, More, Rows, TextArea } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { adminPage, type Notice, type PersonContext, type View } from "../../request/route.ts";
import { withReauthentication } from "../entry/reauthentication.tsx";
import { NotStaffMark } from "../../parts/role-mark.tsx";

const HERE = "/admin/applications";

/** Membership applications and the decisions on them (docs/contract.md#9.16). */
export const adminApplicationPages = [
  adminPage("GET", HERE, (ctx) => listView(ctx)),
  adminPage(
    "POST",
    `${HERE}/:id/approve`,
    withReauthentication(HERE, (ctx) => answer(ctx, "application-approved", approveApplication)),
  ),
  adminPage("POST", `${HERE}/:id/decline`, (ctx) => answer(ctx, "application-declined", declineApplication)),
];

/** If another admin decided first, the list shows that as an error. */
function answer(
  ctx: PersonContext,
  notice: Notice,
  decide: typeof approveApplication | typeof declineApplication,
) {
  return showAgainOnError(
    async () => {
      const id = ctx.params["id"] ?? "";
      const draft = check(AnswerDraft, { word: prose(ctx.form, `word-${id}`).trim() });
      await ctx.write(() => decide(ctx.core, ctx.person.caller, id, draft));
      return { to: HERE, notice };
    },
    (error) => listView(ctx, error),
  );
}

function listView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.admin.applications;
  const title = ctx.messages.admin.places.applications;
  const page = listApplications(ctx.core, ctx.person.caller, pageRequest(ctx));
  return {
    title,
    error,
    body: (
      <>
        <Heading title={title}>
          <p>{communitySettingsOf(ctx.core).joining === "approval" ? messages.lead : messages.leadElse}</p>
        </Heading>
        <Fault ctx={ctx} error={error} />
        <Rows
          nodes={page.nodes}
          empty={messages.empty}
          lead={messages.emptyLead}
          row={(application) => <Row ctx={ctx} application={application} />}
        />
        <More ctx={ctx} href={nextAddress(ctx, page, HERE)} />
      </>
    ),
  };
}

/** The typed message is sent with either button. */
function Row({ ctx, application }: { ctx: PersonContext; application: Application }) {
  const messages = ctx.messages.admin.applications;
  const { id, username, name, why, createdAt } = application;
  return (
    <li class="applicant">
      <div class="row-main">
        <p class="row-title" dir="auto">
          <bdi safe>{name}</bdi>
          <NotStaffMark ctx={ctx} who={application} />
        </p>
        <p class="row-meta">
          <bdi safe>{`@${username}`}</bdi> · {messages.asked({ when: <Ago ctx={ctx} at={createdAt} /> })}
        </p>
        <p class="reason" dir="auto" safe>
          {why}
        </p>
        <Form
          action={`${HERE}/${id}/approve`}
          ctx={ctx}
          kind="stack narrow"
          label={messages.approveOf({ username })}
        >
          <TextArea name={`word-${id}`} label={messages.word} maxlength={1000} rows={2} />
          <div class="actions">
            <Button>{messages.approve}</Button>
            <button class="button quiet" formaction={`${HERE}/${id}/decline`}>
              {messages.decline}
            </button>
          </div>
        </Form>
      </div>
    </li>
  );
}
