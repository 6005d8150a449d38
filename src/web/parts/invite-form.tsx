/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import type { CoreError } from "../../core/base/errors.ts";
import { InvitationDraft } from "../../core/identity/mail/invitation.ts";
import { sendsMail } from "../../core/identity/mail/mail.ts";
import type { PersonAsk } from "../request/route.ts";
import { formOf } from "./draft-form.tsx";
import { Button, Form } from "./parts.tsx";

/** The form that makes an invitation link, and mails it if the server sends mail. */
export function InviteForm({
  ask,
  action,
  error,
  fields,
  children,
}: PropsWithChildren<{
  ask: PersonAsk;
  action: string;
  error: CoreError | undefined;
  /** Further fields. */
  fields?: JSX.Element;
}>) {
  const words = ask.words.channels.inviting;
  const { Field } = formOf(ask, InvitationDraft, { words, error });
  return (
    <Form
      action={action}
      ask={ask}
      kind={sendsMail(ask.core) || fields !== undefined ? "stack narrow" : "inline"}
    >
      {fields ?? ""}
      {sendsMail(ask.core) ? <Field name="address" hint={words.hint} /> : ""}
      <Button>{children}</Button>
    </Form>
  );
}

/** Beside the link that was made. */
export function SentTo({ ask, address }: { ask: PersonAsk; address: string | undefined }) {
  if (address === undefined) return "";
  return <p>{ask.words.channels.inviting.sent({ address: <bdi safe>{address}</bdi> })}</p>;
}
