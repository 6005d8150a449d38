import type { TObject, TSchema } from "@sinclair/typebox";
import { withoutNull, enumValues } from "../core/base/view.ts";
import { snakeCase } from "./present.ts";

/**
 * Builds a v1 example of a view from the examples of its fields. Leaves out optional fields without an
 * example. Throws if a required field has none.
 */
export function exampleOf(view: TSchema, path = view.$id ?? ""): unknown {
  const [ownExample] = (view["examples"] as unknown[] | undefined) ?? [];
  if (ownExample !== undefined) return ownExample;
  const { inner, isNullable } = withoutNull(view);
  if (isNullable) return exampleOf(inner, path);
  if (inner["type"] === "array") return [exampleOf(inner["items"], `${path}[]`)];
  const [enumValue] = enumValues(inner) ?? [];
  if (enumValue !== undefined) return enumValue;
  if (inner["type"] === "boolean") return false;
  const { properties, required = [] } = inner as Partial<TObject>;
  if (!properties) throw new Error(`${path} has no example`);
  const visibleFields = Object.entries(properties).filter(
    ([name, property]) => required.includes(name) || property["examples"] !== undefined,
  );
  return Object.fromEntries(
    visibleFields.map(([name, property]) => [snakeCase(name), exampleOf(property, `${path}.${name}`)]),
  );
}
