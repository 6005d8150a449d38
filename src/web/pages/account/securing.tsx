/** @jsxImportSource @kitajs/html */
import { ACCESS_KINDS, type AccessEntry, type AccessKind } from "../../../core/delegation/securing/access.ts";
import {
  previewSecuring,
  secureAccount,
  type SecuringPreview,
} from "../../../core/delegation/securing/securing.ts";
import { isFresh } from "../../../core/identity/accounts/sessions.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { EndpointList } from "../../parts/endpoint-list.tsx";
import { Heading } from "../../parts/layout.tsx";
import { agentName } from "../../request/agent.ts";
import { Ago, relativeTime, Submit, type ChoiceOption, Choices, Fault, Form } from "../../parts/parts.tsx";
import { type PersonContext, signedInPage, type View, withRepeats } from "../../request/route.ts";
import { redirectSignedIn } from "../../request/session-cookies.ts";
import { reauthenticatedForm } from "../entry/reauthentication.tsx";

const SECURITY = "/settings/security";
export const OWN_SECURING = "/settings/account/secure";

/**
 * The page on which members end all access to their own account, such as sessions and tokens. The page for
 * other accounts is in pages/admin.
 */
export const securingPages = [
  signedInPage("GET", OWN_SECURING, (ctx) => ownView(ctx)),
  withRepeats(
    reauthenticatedForm(signedInPage, OWN_SECURING, OWN_SECURING, ownView, async (ctx) => {
      const { core, person } = ctx;
      const keep = { passkeys: ctx.form.getAll("keep"), password: true };
      const { renewed } = await ctx.write(() =>
        secureAccount(core, person.caller, person.caller.username, keep),
      );
      return renewed
        ? redirectSignedIn(ctx, renewed, SECURITY, "account-secured")
        : { to: SECURITY, notice: "account-secured" };
    }),
    "keep",
  ),
];

function ownView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.account.secure;
  const preview = previewSecuring(ctx.core, ctx.person.caller, ctx.person.caller.username);
  return {
    title: messages.title,
    section: "security",
    error,
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        <Fault ctx={ctx} error={error} />
        <AccessToEnd ctx={ctx} preview={preview} isOwn />
        <Form action={OWN_SECURING} ctx={ctx} kind="part stack">
          {preview.passkeys.length > 0 && (
            <Choices
              legend={messages.keep}
              hint={preview.hasPassword ? messages.keepKnown : messages.keepHint}
              name="keep"
              // Without a password, one passkey must be kept.
              options={passkeyOptions(ctx, preview, { isOn: !preview.hasPassword })}
            />
          )}
          <Submit kind="danger">{messages.title}</Submit>
        </Form>
        <p class="hint below">{messages.afterwards}</p>
      </>
    ),
  };
}

export function passkeyOptions(
  { core, messages }: PersonContext,
  { passkeys }: SecuringPreview,
  { isOn }: { isOn: boolean },
): ChoiceOption[] {
  const now = core.clock.now();
  const { neverUsed, used } = messages.account.secure;
  const ago = (at: number): string => relativeTime(messages, at - now);
  return passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
    value: id,
    words: name,
    hint:
      lastUsedAt === null
        ? neverUsed({ added: ago(createdAt) })
        : used({ added: ago(createdAt), used: ago(lastUsedAt) }),
    isOn,
  }));
}

/** Leaves out passkeys, which have their own form fields, and device cookies, which are not stored here. */
const SHOWN_KINDS = ACCESS_KINDS.filter(
  (kind): kind is Exclude<AccessKind, "passkeys" | "devices"> => kind !== "passkeys" && kind !== "devices",
);
/** Kinds of access that are listed by email address. */
const MAIL_KINDS: readonly AccessKind[] = ["mail", "pendingMail", "notMeLinks"];
/** Maximum number of names per kind, so that one kind cannot hide the others. */
const NAMED_MAX = 10;

/** The access that securing ends. The owner sees names, an admin sees counts. */
export function AccessToEnd({
  ctx,
  preview: { access, endpoints },
  isOwn = false,
}: {
  ctx: PersonContext;
  preview: SecuringPreview;
  isOwn?: boolean;
}) {
  const messages = ctx.messages.account.secure;
  const there = SHOWN_KINDS.filter((kind) => access[kind].length > 0);
  return (
    <section class="part">
      <h2>{messages.ends}</h2>
      {there.length === 0 ? (
        <p class="hint">{messages.nothing}</p>
      ) : (
        <ul class="rows">
          {there.map((kind) => (
            <li>
              <div class="row-main">
                <p class="row-title" dir="auto" safe>
                  {countOf(ctx, kind, access[kind].length)}
                </p>
                {kind === "endpoints" ? (
                  <EndpointList ctx={ctx} endpoints={endpoints} title={messages.endpoints} />
                ) : (
                  isOwn && <Entries ctx={ctx} kind={kind} entries={access[kind]} />
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Entries({
  ctx,
  kind,
  entries,
}: {
  ctx: PersonContext;
  kind: AccessKind;
  entries: readonly AccessEntry[];
}) {
  const rest = entries.length - NAMED_MAX;
  return (
    <>
      {entries.slice(0, NAMED_MAX).map(({ name, addedAt }) => (
        <p class="row-meta">
          <bdi safe>{nameOf(ctx, kind, name)}</bdi>
          {name !== "" && addedAt !== null ? " · " : ""}
          {addedAt === null ? "" : <Ago ctx={ctx} at={addedAt} />}
        </p>
      ))}
      {rest > 0 && (
        <p class="row-meta" safe>
          {ctx.messages.account.secure.more({ count: rest })}
        </p>
      )}
    </>
  );
}

function countOf({ messages }: PersonContext, kind: (typeof SHOWN_KINDS)[number], count: number): string {
  const { secure } = messages.account;
  if (kind === "mail" || kind === "pendingMail" || kind === "feed") return secure[kind];
  return secure[kind === "endpoints" ? "webhooks" : kind]({ count });
}

function nameOf(ctx: PersonContext, kind: AccessKind, name: string): string {
  if (kind === "sessions" || kind === "push") return agentName(ctx.messages, name);
  // A session without a recent sign-in may belong to a thief, so it shows masked email addresses.
  // /settings/mail requires a recent sign-in, too.
  if (MAIL_KINDS.includes(kind) && !isFresh(ctx.core, ctx.person.caller))
    return name.replace(/^(.).*(?=@)/, "$1…");
  return name;
}
