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
import { Ago, Button, Fault, Form, More, Rows, TextArea } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { adminPage, type Notice, type PersonAsk, type View } from "../../request/route.ts";
import { withReauthentication } from "../entry/reauthentication.tsx";
import { AdminHead } from "./head.tsx";
import { NotStaffMark } from "../../parts/role-mark.tsx";

const HERE = "/admin/applications";

/** Applications and their answers (docs/contract.md#9.16). */
export const adminApplicationPages = [
  adminPage("GET", HERE, (ask) => listView(ask)),
  adminPage(
    "POST",
    `${HERE}/:id/approve`,
    withReauthentication(HERE, (ask) => answer(ask, "application-approved", approveApplication)),
  ),
  adminPage("POST", `${HERE}/:id/decline`, (ask) => answer(ask, "application-declined", declineApplication)),
];

/** A notice above the list says if somebody else has decided meanwhile. */
function answer(
  ask: PersonAsk,
  notice: Notice,
  decide: typeof approveApplication | typeof declineApplication,
) {
  return showAgainOnError(
    async () => {
      const id = ask.params["id"] ?? "";
      const draft = check(AnswerDraft, { word: prose(ask.form, `word-${id}`).trim() });
      await ask.write(() => decide(ask.core, ask.person.caller, id, draft));
      return { to: HERE, notice };
    },
    (error) => listView(ask, error),
  );
}

function listView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.admin.applications;
  const title = ask.words.admin.places.applications;
  const page = listApplications(ask.core, ask.person.caller, pageRequest(ask));
  return {
    title,
    error,
    body: (
      <>
        <AdminHead ask={ask} title={title}>
          <p>{communitySettingsOf(ask.core).joining === "approval" ? words.lead : words.leadElse}</p>
        </AdminHead>
        <Fault ask={ask} error={error} />
        <Rows
          nodes={page.nodes}
          empty={words.empty}
          lead={words.emptyLead}
          row={(application) => <Row ask={ask} application={application} />}
        />
        <More ask={ask} href={nextAddress(ask, page, HERE)} />
      </>
    ),
  };
}

/** The word that is typed goes with either button. */
function Row({ ask, application }: { ask: PersonAsk; application: Application }) {
  const words = ask.words.admin.applications;
  const { id, username, name, why, createdAt } = application;
  return (
    <li class="applicant">
      <div class="row-main">
        <p class="row-title" dir="auto">
          <bdi safe>{name}</bdi>
          <NotStaffMark ask={ask} who={application} />
        </p>
        <p class="row-meta">
          <bdi safe>{`@${username}`}</bdi> · {words.asked({ when: <Ago ask={ask} at={createdAt} /> })}
        </p>
        <p class="reason" dir="auto" safe>
          {why}
        </p>
        <Form
          action={`${HERE}/${id}/approve`}
          ask={ask}
          kind="stack narrow"
          label={words.approveOf({ username })}
        >
          <TextArea name={`word-${id}`} label={words.word} maxlength={1000} rows={2} />
          <div class="actions">
            <Button>{words.approve}</Button>
            <button class="button quiet" formaction={`${HERE}/${id}/decline`}>
              {words.decline}
            </button>
          </div>
        </Form>
      </div>
    </li>
  );
}
