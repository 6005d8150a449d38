/** @jsxImportSource @kitajs/html */
import type { CoreError } from "../../core/base/errors.ts";
import type { PersonContext } from "../request/route.ts";
import { Field } from "./parts.tsx";

/** Asks the person to type a username before an operation that cannot be undone. */
export function ConfirmUsername({
  ctx,
  username,
  name = "username",
  label = ctx.messages.adminMembers.builder.theirUsername,
  error,
}: {
  ctx: PersonContext;
  username: string;
  name?: string;
  label?: string;
  error: CoreError | undefined;
}) {
  const typed = ctx.form.get(name)?.trim();
  return (
    <Field
      name={name}
      label={label}
      hint={username}
      value={typed}
      maxlength={40}
      ctx={ctx}
      error={error}
      required
    />
  );
}
