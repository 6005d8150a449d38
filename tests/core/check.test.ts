// docs/contract.md#2.1, docs/threats.md#B02: checks of values against a schema.
import { expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import { check, Slug } from "../../src/core/base/check.ts";
import { CoreError } from "../../src/core/base/errors.ts";

test("checks one item more than the limit of a list that is too long, at any depth", () => {
  const tags = Type.Array(Slug(), { maxItems: 5, tooLong: "tags_too_many" });
  const cases: [string, TSchema, (list: unknown) => unknown][] = [
    ["itself", tags, (list) => list],
    ["a field", Type.Object({ tags: Type.Optional(tags) }), (list) => ({ tags: list })],
    ["a field or null", Type.Object({ tags: Type.Union([tags, Type.Null()]) }), (list) => ({ tags: list })],
    ["a field of a field", Type.Object({ of: Type.Object({ tags }) }), (list) => ({ of: { tags: list } })],
    ["an item", Type.Array(Type.Object({ tags })), (list) => [{ tags: [] }, { tags: list }]],
  ];
  for (const [name, schema, around] of cases) {
    const { list, visited } = counted(60_000);

    const refusal = refusalOf(schema, around(list));

    expect([name, refusal.error]).toEqual([name, "bad_request"]);
    expect(visited(), name).toBeLessThanOrEqual(2 * 6);
  }
});

test("reports other fields and the first items beside a list that is too long", () => {
  const schema = Type.Object({
    tags: Type.Array(Slug(), { maxItems: 2, tooLong: "tags_too_many" }),
    slug: Slug(),
  });

  const { details } = refusalOf(schema, { tags: ["a", "?", "b", "c", "?"], slug: "?" });

  expect(details?.map(({ path, code }) => [path, code])).toEqual([
    ["tags", "tags_too_many"],
    ["tags.1", "not_slug"],
    ["slug", "not_slug"],
  ]);
});

/** A list of valid items that counts how many are read. */
function counted(length: number): { list: unknown[]; visited: () => number } {
  let visited = 0;
  const list = new Proxy(
    Array.from({ length }, () => "a"),
    {
      get(target, name, receiver) {
        if (typeof name === "string" && /^\d+$/.test(name)) visited++;
        return Reflect.get(target, name, receiver);
      },
    },
  );
  return { list, visited: () => visited };
}

function refusalOf(schema: TSchema, value: unknown): CoreError {
  try {
    check(schema, value);
  } catch (thrown) {
    if (thrown instanceof CoreError) return thrown;
    throw thrown;
  }
  throw new Error("nothing was refused");
}
