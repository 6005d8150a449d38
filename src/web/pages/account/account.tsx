/** @jsxImportSource @kitajs/html */
import {
  addPasskey,
  beginPasskey,
  canUsePasskeys,
  listPasskeys,
  removePasskey,
} from "../../../core/identity/accounts/passkeys.ts";
import { changePassword, hasPassword } from "../../../core/identity/accounts/passwords.ts";
import { changeUsername, RENAME_DAYS, UsernameDraft } from "../../../core/identity/accounts/rename.ts";
import { foldUsername } from "../../../core/identity/builders/username.ts";
import { check } from "../../../core/base/check.ts";
import {
  endOtherSessions,
  endSession,
  isFresh,
  listSessions,
  type Session,
} from "../../../core/identity/accounts/sessions.ts";
import { auditRetentionMs, listAudit } from "../../../core/identity/audit/audit.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { agentInWords } from "../../request/agent.ts";
import { field, formPage } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Submit, Empty, Field, Form, More } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { type PersonAsk, signedInPage, type View } from "../../request/route.ts";
import { AuditRows } from "../../parts/audit-rows.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { redirectSignedIn } from "../../request/session-cookies.ts";
import { NewPassword } from "../entry/join.tsx";
import { CurrentPassword, proofAddress, reauthenticatedForm } from "../entry/reauthentication.tsx";
import { readJsonField } from "../entry/sign-in.tsx";
import { chosenLanguage, LanguagePart } from "./language.tsx";
import { OWN_SECURING } from "./securing.tsx";
import { ownDataAnswer, OwnDataPart } from "./own-data.tsx";

const HERE = "/settings/account";

/** The account: ways to sign in, sessions, and the activity log. */
export const accountPages = [
  signedInPage("GET", "/settings", () => ({ to: HERE })),
  signedInPage("GET", HERE, (ask) => accountView(ask)),
  formPage(
    signedInPage,
    `${HERE}/password`,
    (ask, error) => accountView(ask, { password: error }),
    async (ask) => {
      const change = { current: ask.form.get("current") ?? "", password: ask.form.get("password") ?? "" };
      return redirectSignedIn(
        ask,
        await changePassword(ask.core, ask.person.caller, change),
        OWN_SECURING,
        "password-changed",
      );
    },
  ),
  reauthenticatedForm(
    signedInPage,
    `${HERE}/username`,
    HERE,
    (ask, error) => accountView(ask, { username: error }),
    async (ask) => {
      const typed = foldUsername(field(ask.form, "username").replace(/^@/, ""));
      const { username } = check(UsernameDraft, { username: typed });
      await ask.write(() => changeUsername(ask.core, ask.person.caller, username));
      return { to: HERE, notice: "username-changed" };
    },
  ),
  signedInPage("POST", `${HERE}/sessions/:id/end`, async (ask) => {
    await ask.write(() => endSession(ask.core, ask.person.caller, ask.params["id"] ?? ""));
    return { to: HERE, notice: "session-ended" };
  }),
  signedInPage("POST", `${HERE}/sessions/end-others`, async (ask) => {
    await ask.write(() => endOtherSessions(ask.core, ask.person.caller));
    return { to: HERE, notice: "sessions-ended" };
  }),
  signedInPage("POST", `${HERE}/passkeys/options`, async (ask) =>
    Response.json(await beginPasskey(ask.core, ask.person.caller), { headers: ask.context.headers }),
  ),
  reauthenticatedForm(
    signedInPage,
    `${HERE}/passkeys`,
    HERE,
    (ask, error) => accountView(ask, { passkey: error }),
    async (ask) => {
      const response = readJsonField(ask.form, "response");
      await addPasskey(ask.core, ask.person.caller, { name: field(ask.form, "name"), response });
      return { to: HERE, notice: "passkey-added" };
    },
  ),
  reauthenticatedForm(
    signedInPage,
    `${HERE}/passkeys/:id/remove`,
    HERE,
    (ask, error) => accountView(ask, { passkey: error }),
    async (ask) => {
      await ask.write(() => removePasskey(ask.core, ask.person.caller, ask.params["id"] ?? ""));
      return { to: HERE, notice: "passkey-removed" };
    },
  ),
  reauthenticatedForm(
    signedInPage,
    `${HERE}/download`,
    HERE,
    (ask, error) => accountView(ask, { download: error }),
    ownDataAnswer,
  ),
  formPage(
    signedInPage,
    `${HERE}/language`,
    (ask, error) => accountView(ask, { language: error }),
    (ask) => chosenLanguage(ask, HERE),
  ),
  signedInPage("GET", "/settings/activity", (ask) => activityView(ask)),
];

interface Faults {
  language?: CoreError;
  username?: CoreError;
  password?: CoreError;
  passkey?: CoreError;
  download?: CoreError;
}

function accountView(ask: PersonAsk, faults: Faults = {}): View {
  const words = ask.words.account.secure;
  const { core, person } = ask;
  const sessions = listSessions(core, person.caller);
  return {
    title: ask.words.account.title,
    section: "account",
    error: faults.language ?? faults.username ?? faults.password ?? faults.passkey ?? faults.download,
    ...(canUsePasskeys(core) ? { policy: { scripts: true } } : {}),
    body: (
      <>
        <Heading title={ask.words.account.title}>
          <p>
            <bdi safe>{person.name}</bdi>, <span safe>{`@${person.caller.username}`}</span>
          </p>
        </Heading>
        <LanguagePart ask={ask} action={`${HERE}/language`} error={faults.language} />
        <Password ask={ask} error={faults.password} />
        <Username ask={ask} error={faults.username} />
        {canUsePasskeys(core) ? <Passkeys ask={ask} error={faults.passkey} /> : <NoPasskeys ask={ask} />}
        <section class="part">
          <h2>{ask.words.account.sessions.title}</h2>
          <ul class="rows">
            {sessions.map((session) => (
              <SessionRow session={session} ask={ask} />
            ))}
          </ul>
          {sessions.length > 1 && (
            <div class="actions with-space">
              <Form action={`${HERE}/sessions/end-others`} ask={ask} kind="inline">
                <Button kind="quiet">{ask.words.account.sessions.endOthers}</Button>
              </Form>
            </div>
          )}
        </section>
        <section class="part">
          <h2>{ask.words.channels.part.title}</h2>
          <p class="hint">{ask.words.channels.part.hint}</p>
        </section>
        <OwnDataPart ask={ask} action={`${HERE}/download`} error={faults.download} />
        <section class="part">
          <h2>{words.title}</h2>
          <p class="hint">{words.teaser}</p>
          <p>
            <a class="button quiet" href={`${HERE}/secure`}>
              {words.title}
            </a>
          </p>
        </section>
        <section class="part">
          <h2>{ask.words.account.deletion.part}</h2>
          <p class="hint">{ask.words.account.deletion.teaser}</p>
          <p>
            <a class="button danger" href={`${HERE}/delete`}>
              {ask.words.account.deletion.button}
            </a>
          </p>
        </section>
      </>
    ),
  };
}

/** The link in place of a form that needs a recent sign-in. */
function FirstProve({ words }: { words: (params: { address: string }) => JSX.Element }) {
  return <p class="hint">{words({ address: proofAddress(HERE) })}</p>;
}

function Password({ ask, error }: { ask: PersonAsk; error: CoreError | undefined }) {
  const words = ask.words.account.password;
  const isSet = hasPassword(ask.core, ask.person.caller);
  if (!isSet && !isFresh(ask.core, ask.person.caller)) {
    return (
      <section class="part" id="change-password">
        <h2>{words.title}</h2>
        <FirstProve words={words.none} />
      </section>
    );
  }
  return (
    <section class="part" id="change-password">
      <h2>{words.title}</h2>
      <Form action={`${HERE}/password`} ask={ask} kind="stack narrow" error={error}>
        {isSet && <CurrentPassword ask={ask} error={error} label={words.current} />}
        <NewPassword ask={ask} error={error} label={words.chosen} />
        <Submit kind="quiet">{isSet ? words.change : words.set}</Submit>
      </Form>
    </section>
  );
}

function Username({ ask, error }: { ask: PersonAsk; error: CoreError | undefined }) {
  const words = ask.words.account.username;
  const renaming = formOf(ask, UsernameDraft, { words, error });
  return (
    <section class="part">
      <h2>{words.title}</h2>
      <p class="hint">{words.lead({ days: RENAME_DAYS })}</p>
      {isFresh(ask.core, ask.person.caller) ? (
        <renaming.Form action={`${HERE}/username`} kind="stack narrow">
          <renaming.Field name="username" of="chosen" autocomplete="username" />
          <Submit kind="quiet">{words.change}</Submit>
        </renaming.Form>
      ) : (
        <FirstProve words={words.prove} />
      )}
    </section>
  );
}

function Passkeys({ ask, error }: { ask: PersonAsk; error: CoreError | undefined }) {
  const { core, person } = ask;
  const words = ask.words.account.passkeys;
  const passkeys = listPasskeys(core, person.caller);
  const mayChange = isFresh(core, person.caller);
  return (
    <section class="part" id="passkeys">
      <h2>{words.title}</h2>
      <p class="hint">{words.lead}</p>
      {passkeys.length > 0 && (
        <ul class="rows with-space">
          {passkeys.map((passkey) => (
            <li>
              <div class="row-main">
                <p class="row-title" dir="auto" safe>
                  {passkey.name}
                </p>
                <p class="row-meta">
                  {passkey.lastUsedAt === null
                    ? words.addedNeverUsed({ added: <Ago ask={ask} at={passkey.createdAt} /> })
                    : words.addedAndUsed({
                        added: <Ago ask={ask} at={passkey.createdAt} />,
                        used: <Ago ask={ask} at={passkey.lastUsedAt} />,
                      })}
                </p>
              </div>
              {mayChange && (
                <Form
                  action={`${HERE}/passkeys/${passkey.id}/remove`}
                  ask={ask}
                  kind="inline"
                  label={words.removeOf({ name: passkey.name })}
                >
                  <Button kind="danger">{words.remove}</Button>
                </Form>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange ? <NewPasskey ask={ask} error={error} /> : <FirstProve words={words.prove} />}
    </section>
  );
}

/** Why browsers offer no passkeys here (W3C Web Authentication, «Relying Party Identifier»). */
function NoPasskeys({ ask }: { ask: PersonAsk }) {
  const words = ask.words.account.passkeys;
  const { origin } = ask.core;
  const { hostname, port } = new URL(origin);
  const isOwnMachine = hostname.startsWith("127.") || hostname === "[::1]";
  const setting = `GUILDHALL_ORIGIN=http://localhost${port === "" ? "" : `:${port}`}`;
  return (
    <section class="part" id="passkeys">
      <h2>{words.title}</h2>
      <p class="hint">{words.missing({ origin: <code safe>{origin}</code> })}</p>
      {isOwnMachine ? <p class="hint">{words.missingHere({ setting: <code safe>{setting}</code> })}</p> : ""}
    </section>
  );
}

function NewPasskey({ ask, error }: { ask: PersonAsk; error: CoreError | undefined }) {
  const words = ask.words.account.passkeys;
  return (
    <Form
      action={`${HERE}/passkeys`}
      ask={ask}
      kind="stack narrow"
      passkey={{ does: "create", words: ask.words.common.passkey }}
      error={error}
    >
      <input type="hidden" name="response" value="" />
      <Field
        name="name"
        label={words.name}
        value={error ? field(ask.form, "name") : ""}
        placeholder={words.nameExample}
        maxlength={100}
        ask={ask}
        error={error}
        required
      />
      <Submit kind="quiet">{words.add}</Submit>
      <noscript>
        <p class="hint">{words.noScripts}</p>
      </noscript>
    </Form>
  );
}

function SessionRow({ session, ask }: { session: Session; ask: PersonAsk }) {
  const words = ask.words.account.sessions;
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto" safe>
          {agentInWords(ask.words, session.agent)}
        </p>
        <p class="row-meta">
          <span safe>{session.address}</span> ·{" "}
          {words.since({ when: <Ago ask={ask} at={session.createdAt} /> })} ·{" "}
          {session.isCurrent ? words.now : words.seen({ when: <Ago ask={ask} at={session.lastSeenAt} /> })}
        </p>
      </div>
      {session.isCurrent ? (
        <span class="badge good">{words.current}</span>
      ) : (
        <Form action={`${HERE}/sessions/${session.id}/end`} ask={ask} kind="inline">
          <Button kind="quiet">{words.end}</Button>
        </Form>
      )}
    </li>
  );
}

function activityView(ask: PersonAsk): View {
  const page = listAudit(ask.core, ask.person.caller, { of: "mine" }, pageRequest(ask));
  const words = ask.words.account.activity;
  return {
    title: words.title,
    section: "activity",
    body: (
      <>
        <Heading title={words.title}>
          <p>{words.lead({ kept: ask.words.formats.span(auditRetentionMs(ask.core)) })}</p>
        </Heading>
        {page.nodes.length === 0 ? (
          <Empty title={words.empty}>
            <p>{words.emptyLead}</p>
          </Empty>
        ) : (
          <AuditRows entries={page.nodes} ask={ask} />
        )}
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}
