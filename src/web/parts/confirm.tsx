/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { Heading } from "./layout.tsx";
import { Button, Form } from "./parts.tsx";
import type { PageAsk } from "../request/route.ts";

/** Asks once more before something goes for good. */
export function Confirm({
  ask,
  title,
  action,
  words,
  back,
  children,
}: PropsWithChildren<{ ask: PageAsk; title: string; action: string; words: string; back: string }>) {
  return (
    <>
      <Heading title={title}>{children}</Heading>
      <Form action={action} ask={ask}>
        <div class="actions">
          <Button kind="danger">{words}</Button>
          <a class="button quiet" href={back}>
            {ask.words.common.keep}
          </a>
        </div>
      </Form>
    </>
  );
}
