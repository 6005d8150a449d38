/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { Heading } from "./layout.tsx";
import { Button, Form } from "./parts.tsx";
import type { PageContext } from "../request/route.ts";

/** Asks for confirmation before a permanent deletion. */
export function Confirm({
  ctx,
  title,
  action,
  label,
  back,
  children,
}: PropsWithChildren<{ ctx: PageContext; title: string; action: string; label: string; back: string }>) {
  return (
    <>
      <Heading title={title}>{children}</Heading>
      <Form action={action} ctx={ctx}>
        <div class="actions">
          <Button kind="danger">{label}</Button>
          <a class="button quiet" href={back}>
            {ctx.messages.common.keep}
          </a>
        </div>
      </Form>
    </>
  );
}
