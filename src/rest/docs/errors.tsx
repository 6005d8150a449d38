/** @jsxImportSource @kitajs/html */
import { FAULTS, type FaultCode } from "../../core/base/refusals/faults.ts";
import {
  type Code,
  type ErrorName,
  type Refusal,
  REFUSALS,
  type RefusalCode,
} from "../../core/base/refusals/refusals.ts";
import { MEANINGS, remedyOf } from "../../core/base/refusals/remedies.ts";
import { guideSectionOf, STATUS_OF } from "../../http/answer.ts";
import { docsPage, prose, SectionHeading, type DocsCommunity } from "./frame.tsx";

/** One error code, with its message as a template: `{max}` is a parameter. */
export interface ErrorCode {
  code: Code;
  error: ErrorName;
  /** For a field error, the message follows the field name. */
  message: string;
  /** The REST name of the field with the error. */
  path?: string;
  /** The next step, if the message does not name it. */
  remedy?: string;
}

/** All error codes, field errors first. */
export const ERROR_CODES: readonly ErrorCode[] = [
  ...(Object.keys(FAULTS) as FaultCode[]).map((code) => ({
    code,
    error: "bad_request" as const,
    message: `… ${FAULTS[code]}`,
    ...remedyField(code),
  })),
  ...(Object.entries(REFUSALS) as [RefusalCode, Refusal][]).map(([code, { error, says, path }]) => ({
    code,
    error,
    message: says,
    ...(path === undefined ? {} : { path }),
    ...remedyField(code),
  })),
];

function remedyField(code: Code): { remedy?: string } {
  const remedy = remedyOf(code);
  return remedy === undefined ? {} : { remedy };
}

/**
 * Renders /docs/errors: each code with its anchor and message, and with the next step if the message lacks
 * it.
 */
export function renderErrors(community: DocsCommunity): string {
  const names = Object.entries(STATUS_OF) as [ErrorName, number][];
  const main = (
    <>
      <div class="guide">
        <p>
          An error has the name of its status in <code>error</code> and a more specific <code>code</code>.
          Neither ever changes its meaning. <code>{"{max}"}</code> in a message is a parameter. Its value is
          in <code>params</code>. A message that begins with … follows the name of a field and gives the rule
          for it. Where a message does not say what to do, the next step is below it.{" "}
          <a href="/docs#errors">Errors</a> in the REST guide shows a complete error.
        </p>
      </div>
      {names.map(([name, status]) => (
        <section aria-labelledby={name}>
          <SectionHeading id={name} title={`${status} ${name}`} />
          <div class="guide">
            <p>{prose(MEANINGS[name])}</p>
          </div>
          {ERROR_CODES.filter(({ error }) => error === name).map((one) => (
            <ErrorCodeSection {...one} />
          ))}
        </section>
      ))}
    </>
  );
  return docsPage(
    {
      path: "/docs/errors",
      title: "Error codes",
      summary: "Every error code of the REST and GraphQL APIs, with its message and the next step.",
      contents: names.map(([name, status]) => ({ id: name, html: `${status} ${name}` })),
      main: main as string,
    },
    community,
  );
}

function ErrorCodeSection({ code, error, message, path, remedy }: ErrorCode) {
  const section = guideSectionOf(error, code);
  return (
    <section class="error-code" aria-labelledby={code}>
      <h3 id={code}>
        <a class="anchor" href={`#${code}`}>
          <code safe>{code}</code>
        </a>
      </h3>
      <p>
        {prose(message)}{" "}
        {path === undefined ? (
          ""
        ) : (
          <span class="field">
            Field: <code safe>{path}</code>
          </span>
        )}
      </p>
      {remedy === undefined && section === "errors" ? (
        ""
      ) : (
        <p class="remedy">
          {prose(remedy ?? "")}{" "}
          {section === "errors" ? "" : <a href={`/docs#${section}`} safe>{`More: ${section}`}</a>}
        </p>
      )}
    </section>
  );
}
