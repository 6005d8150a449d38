/** @jsxImportSource @kitajs/html */
import {
  type ApiOperation,
  type Field,
  fieldsOf,
  type Parameter,
  type Refusal,
} from "./reference-document.ts";
import { Code, json, Method, Path, prose, shell, Table } from "./reference-parts.tsx";
import { curlOf, ruleOf, showExample, typeOf } from "./reference-words.ts";

/** One operation: what it is in words on one side, what goes over the wire on the other. */
export function OperationSection({ operation, baseUrl }: { operation: ApiOperation; baseUrl: string }) {
  const { id, method, path, summary, description, scope, parameters, body, answer } = operation;
  return (
    <section class="operation pair" aria-labelledby={id}>
      <div class="words">
        <h3 id={id}>
          <a class="anchor" href={`#${id}`} safe>
            {summary}
          </a>
        </h3>
        <p class="endpoint">
          <Method method={method} />
          <Path path={path} />
        </p>
        {description === "" ? "" : <p>{prose(description)}</p>}
        <p class="scope">
          {scope === undefined ? (
            "Needs no token."
          ) : (
            <>
              Needs the scope{" "}
              <a href="#scopes">
                <code safe>{scope}</code>
              </a>
              .
            </>
          )}
        </p>
      </div>
      <div class="wire">
        <Code title="Request" markup={shell(curlOf(operation, baseUrl))} />
        {answer.example === undefined ? (
          ""
        ) : (
          <Code title={`Answer ${answer.status}`} markup={json(answer.example)} />
        )}
      </div>
      <div class="details">
        {parameters.length === 0 ? "" : <Parameters parameters={parameters} of={summary} />}
        {body === undefined ? (
          ""
        ) : (
          <>
            <h4>Body</h4>
            <Fields fields={fieldsOf(body)} label={`Body: ${summary}`} isSent />
          </>
        )}
        <h4>Answer</h4>
        <p>
          <strong class="status" safe>
            {answer.status}
          </strong>{" "}
          {prose(answer.description)}.
          {answer.example === undefined && answer.status === "204" ? " No body." : ""}
        </p>
        {answer.schema?.properties ? (
          <Fields fields={fieldsOf(answer.schema)} label={`Answer: ${summary}`} />
        ) : (
          ""
        )}
        <h4>Other statuses</h4>
        <Statuses refusals={operation.refusals} canBeUnchanged={operation.canBeUnchanged} />
      </div>
    </section>
  );
}

function Parameters({ parameters, of }: { parameters: readonly Parameter[]; of: string }) {
  return (
    <>
      <h4>Parameters</h4>
      <Table label={`Parameters: ${of}`} columns={["Name", "Type", "Description"]} kind="fields">
        {parameters.map((parameter) => {
          const example = parameter.example ?? parameter.schema.examples?.[0];
          return (
            <tr>
              <th scope="row">
                <code safe>{parameter.name}</code>
                <small safe>{`${parameter.in}, ${parameter.required ? "required" : "optional"}`}</small>
              </th>
              <td>
                <span class="type" safe>
                  {typeOf(parameter.schema)}
                </span>
                <small>{prose(ruleOf(parameter.schema))}</small>
              </td>
              <td>
                {prose(parameter.description)}
                <Example value={example} />
              </td>
            </tr>
          );
        })}
      </Table>
    </>
  );
}

/** Fields of a body. Only one that is sent can be left out, so only there it is said. */
function Fields({ fields, label, isSent }: { fields: readonly Field[]; label: string; isSent?: boolean }) {
  return (
    <Table label={label} columns={["Field", "Type", "Description"]} kind="fields">
      {fields.map(({ within, name, schema, isRequired }) => (
        <tr>
          <th scope="row">
            <code>
              <span class="within" safe>
                {within}
              </span>
              <span safe>{name}</span>
            </code>
            {isSent ? <small>{isRequired ? "required" : "optional"}</small> : ""}
          </th>
          <td>
            <span class="type" safe>
              {typeOf(schema)}
            </span>
            <small>{prose(ruleOf(schema))}</small>
          </td>
          <td>
            {prose(schema.description ?? "")}
            {isSent ? <Example value={schema.examples?.[0]} /> : ""}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Example({ value }: { value: unknown }) {
  if (value === undefined) return <></>;
  return (
    <small>
      Example <code safe>{showExample(value)}</code>
    </small>
  );
}

function Statuses({ refusals, canBeUnchanged }: { refusals: readonly Refusal[]; canBeUnchanged: boolean }) {
  return (
    <ul class="statuses">
      {canBeUnchanged ? (
        <li>
          <a href="#conditional-requests">
            <b>304</b> not modified
          </a>
        </li>
      ) : (
        ""
      )}
      {refusals.map(({ status, name }) => (
        <li>
          <a href="#errors">
            <b safe>{status}</b> <span safe>{name}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
