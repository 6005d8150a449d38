/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import type { CoreError } from "../../core/base/errors.ts";
import { InvitationDraft } from "../../core/identity/mail/invitation.ts";
import { sendsMail } from "../../core/identity/mail/mail.ts";
import type { PersonContext } from "../request/route.ts";
import { formOf } from "./draft-form.tsx";
import { Button, Form } from "./parts.tsx";

/** The form that creates an invitation link, and emails it if the server sends mail. */
export function InviteForm({
  ctx,
  action,
  error,
  fields,
  children,
}: PropsWithChildren<{
  ctx: PersonContext;
  action: string;
  error: CoreError | undefined;
  /** Additional fields. */
  fields?: JSX.Element;
}>) {
  const messages = ctx.messages.channels.inviting;
  const { Field } = formOf(ctx, InvitationDraft, { messages, error });
  return (
    <Form
      action={action}
      ctx={ctx}
      kind={sendsMail(ctx.core) || fields !== undefined ? "stack narrow" : "inline"}
    >
      {fields ?? ""}
      {sendsMail(ctx.core) ? <Field name="address" hint={messages.hint} /> : ""}
      <Button>{children}</Button>
    </Form>
  );
}

/** The email address to which the link was sent, beside the new link. */
export function SentTo({ ctx, address }: { ctx: PersonContext; address: string | undefined }) {
  if (address === undefined) return "";
  return <p>{ctx.messages.channels.inviting.sent({ address: <bdi safe>{address}</bdi> })}</p>;
}
