/** @jsxImportSource @kitajs/html */
import type { CoreError } from "../../core/base/errors.ts";
import type { PersonAsk } from "../request/route.ts";
import { Field } from "./parts.tsx";

/** Asks for a username once more, before something that cannot be undone. */
export function ConfirmUsername({
  ask,
  username,
  name = "username",
  label = ask.words.adminMembers.builder.theirUsername,
  error,
}: {
  ask: PersonAsk;
  username: string;
  name?: string;
  label?: string;
  error: CoreError | undefined;
}) {
  const typed = ask.form.get(name)?.trim();
  return (
    <Field
      name={name}
      label={label}
      hint={username}
      value={typed}
      maxlength={40}
      ask={ask}
      error={error}
      required
    />
  );
}
