/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { OptionalKind, type TObject, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { CoreError } from "../../core/base/errors.ts";
import { prose, withoutNull } from "../request/forms.ts";
import type { PageContext } from "../request/route.ts";
import { slugHint } from "./slug-hint.ts";
import {
  type BoundArea,
  type BoundField,
  type ChoiceOption,
  Choices,
  Field,
  Form,
  type FormProps,
  Select,
  TextArea,
} from "./parts.tsx";

/**
 * A form field described by a draft. The name of the field selects its texts: `url` has the label `url`, the
 * hint `urlHint` and the example `urlExample`. `of` selects the texts of another name.
 */
type DraftField<Words, Name extends string, Rest> = Omit<Rest, "name" | "label"> & { name: Name } & (
    | { label: string; of?: keyof Words }
    | ({ label?: never } & (Name extends Texts<Words> ? { of?: Texts<Words> } : { of: Texts<Words> }))
  );
type Texts<Words> = { [Name in keyof Words]: Words[Name] extends string ? Name : never }[keyof Words];

interface DraftChoice {
  hint?: string;
  type?: "checkbox" | "radio";
  /** The values to choose from. By default the values of the draft. */
  values?: readonly string[];
  /** The label of a value. */
  option(value: never): string | { words: string; hint?: string };
}

/**
 * Returns the parts of a form for the draft of an operation. The draft defines limits, kinds and choices. A
 * field shows the typed value or else the stored value, and its error. Errors that belong to no field are at
 * the top of the form.
 */
export function formOf<Words extends object>(
  ctx: PageContext,
  draft: TObject,
  {
    messages,
    error,
    stored = {},
  }: { messages: Words; error?: CoreError | undefined; stored?: object | undefined },
) {
  const shown: string[] = [];
  const textFor = (name: string, part = ""): string | undefined => {
    const text = (messages as Record<string, unknown>)[name + part.slice(0, 1).toUpperCase() + part.slice(1)];
    return typeof text === "string" ? text : undefined;
  };
  const textsOf = ({ name, of = name }: { name: string; of?: unknown }) => ({
    label: textFor(of as string) ?? "",
    hint: textFor(of as string, "hint"),
    placeholder: textFor(of as string, "example"),
  });
  const bound = (
    props: { name: string; of?: unknown; type?: BoundField["type"] },
    read: (form: URLSearchParams, name: string) => string[],
    between: string,
  ) => {
    const { name, type } = props;
    shown.push(name);
    const schema = schemaAt(draft, name);
    const texts = textsOf(props);
    return {
      ...limitsOf(schema),
      ...texts,
      hint: [texts.hint, slugHint(ctx, name, schema)].filter(Boolean).join(" ") || undefined,
      // Passwords are never sent back.
      value:
        type === "password"
          ? undefined
          : (ctx.form.has(name) ? read(ctx.form, name) : textsAt(stored, name)).join(between),
      ctx,
      error,
      ...props,
    };
  };
  const options = ({ name, values, option }: DraftChoice & { name: string }): ChoiceOption[] => {
    const isBack = ctx.form.has(name) || shown.some((one) => ctx.form.has(one));
    const chosen = isBack ? ctx.form.getAll(name) : textsAt(stored, name);
    return (values ?? choicesOf(schemaAt(draft, name))).map((value) => {
      const called = option(value as never);
      return {
        value,
        ...(typeof called === "string" ? { words: called } : called),
        isOn: chosen.includes(value),
      };
    });
  };
  return {
    Form: ({ children, ...props }: PropsWithChildren<Omit<FormProps, "ctx" | "error">>) => (
      <Form kind="stack" {...props} ctx={ctx} error={error}>
        {children}
      </Form>
    ),
    Field: <Name extends string>(props: DraftField<Words, Name, BoundField>) => (
      <Field {...bound(props, lines, ", ")} />
    ),
    /** Does not set the draft's length limit, because browsers count characters differently than the core. */
    TextArea: <Name extends string>(props: DraftField<Words, Name, BoundArea>) => (
      <TextArea {...bound(props, (form, name) => [prose(form, name)], "\n")} maxlength={props.maxlength} />
    ),
    Choices: <Name extends string>(props: DraftField<Words, Name, DraftChoice>) => {
      const { label: legend, hint } = { ...textsOf(props), ...props };
      return (
        <Choices legend={legend} hint={hint} name={props.name} type={props.type} options={options(props)} />
      );
    },
    Select: <Name extends string>(props: DraftField<Words, Name, DraftChoice>) => {
      const { label, hint } = { ...textsOf(props), ...props };
      return <Select name={props.name} label={label} hint={hint} options={options(props)} />;
    },
  };
}

/**
 * Returns the lines of a field. A list may also arrive as one field per item, as the job board's search sends
 * it.
 */
function lines(form: URLSearchParams, name: string): string[] {
  return form.getAll(name).map((text) => text.trim());
}

/** Returns the schema of a field. `salary.min` is a property of the schema `salary`. */
function schemaAt(draft: TObject, name: string): TSchema | undefined {
  return name
    .split(".")
    .reduce<TSchema | undefined>(
      (schema, part) => schema?.["properties"]?.[part] as TSchema | undefined,
      draft,
    );
}

/** Returns the stored value of a field in the form in which it is sent. */
function textsAt(stored: object, name: string): string[] {
  const value = name
    .split(".")
    .reduce<unknown>((whole, part) => (whole as Record<string, unknown> | null | undefined)?.[part], stored);
  return ([value].flat() as unknown[]).flatMap((one) =>
    typeof one === "string" || typeof one === "number" || typeof one === "boolean" ? [`${one}`] : [],
  );
}

function choicesOf(schema: TSchema | undefined): readonly string[] {
  const inner = schema && withoutNull(schema).inner;
  return (inner?.["items"]?.enum ?? inner?.["enum"] ?? []) as readonly string[];
}

/** Returns the limits of a schema as HTML attributes. */
function limitsOf(schema: TSchema | undefined) {
  if (!schema) return {};
  const { inner, isNullable } = withoutNull(schema);
  const { type, format, fault, minLength, maxLength, minimum, maximum, minItems } = inner;
  const isRequired = type === "array" ? minItems > 0 : !Value.Check(schema, "");
  return {
    type:
      type === "integer"
        ? ("number" as const)
        : format === "uri"
          ? ("url" as const)
          : fault?.code === "not_mail_address"
            ? ("email" as const)
            : ("text" as const),
    required: isRequired && !isNullable && !(OptionalKind in schema),
    maxlength: maxLength as number | undefined,
    minlength: minLength > 1 ? (minLength as number) : undefined,
    min: minimum as number | undefined,
    max: maximum as number | undefined,
  };
}
