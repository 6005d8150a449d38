import fc from "fast-check";
import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  type GraphQLInputType,
} from "graphql";

/** A document and its variables. The document may be invalid. */
export interface AnyDocument {
  query: string;
  variables: Record<string, unknown>;
}

const DEPTH_MAX = 6;

/**
 * Generates queries with aliases, duplicate fields, both kinds of fragments, `@skip`, `@include` and
 * variables. Ids and names come from `known`.
 */
export function anyDocument(schema: GraphQLSchema, known: readonly string[]): fc.Arbitrary<AnyDocument> {
  return fc.gen().map((next) => {
    const upTo = (most: number): number => next(fc.nat, { max: most });
    const isOnce = (inHowMany: number): boolean => upTo(inHowMany - 1) === inHowMany - 1;
    const oneOf = <Item>(items: readonly Item[]): Item => items[upTo(items.length - 1)] as Item;
    const fragments: string[] = [];
    const declared: string[] = [];
    const variables: Record<string, unknown> = {};
    let names = 0;

    function variableOf(type: string, value: unknown): string {
      const name = `v${names++}`;
      declared.push(`$${name}: ${type}`);
      if (value !== undefined) variables[name] = value;
      return `$${name}`;
    }

    function valueOf(type: GraphQLInputType): unknown {
      if (isNonNullType(type)) return valueOf(type.ofType);
      if (isListType(type)) return Array.from({ length: upTo(2) }, () => valueOf(type.ofType));
      if (isEnumType(type)) return oneOf(type.getValues()).name;
      if (type.name === "Int" || type.name === "Float") return upTo(3);
      if (type.name === "Boolean") return isOnce(2);
      return type.name === "ID" || type.name === "String" ? oneOf(known) : undefined;
    }

    function argumentOf(argument: GraphQLArgument): string | undefined {
      const isRequired = isRequiredArgument(argument);
      if (!isRequired && !isOnce(3)) return undefined;
      const value = valueOf(argument.type);
      if (value === undefined) return undefined;
      const isLeftOut = !isRequired && isOnce(4);
      const isText = !isEnumType(getNamedType(argument.type)) && isOnce(2);
      return `${argument.name}: ${isText ? JSON.stringify(value) : variableOf(String(argument.type), isLeftOut ? undefined : value)}`;
    }

    function directive(): string {
      if (!isOnce(8)) return "";
      const condition = isOnce(2) ? String(isOnce(2)) : variableOf("Boolean!", isOnce(2));
      return ` @${isOnce(2) ? "skip" : "include"}(if: ${condition})`;
    }

    function fieldOf(field: GraphQLField<unknown, unknown>, depth: number): string {
      const given = field.args.flatMap((argument) => argumentOf(argument) ?? []);
      // A field with arguments gets a unique alias. Fields with the same response name must have equal
      // arguments.
      const alias = given.length > 0 || isOnce(3) ? `a${names++}: ` : "";
      const type = getNamedType(field.type);
      const inner = isCompositeType(type) ? ` ${selectionOf(type, depth + 1)}` : "";
      const inBrackets = given.length > 0 ? `(${given.join(", ")})` : "";
      return `${alias}${field.name}${inBrackets}${directive()}${inner}`;
    }

    function partOf(type: GraphQLCompositeType, depth: number): string {
      const further = depth < DEPTH_MAX;
      if (further && isOnce(isAbstractType(type) ? 2 : 8)) {
        const types = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
        const narrower = oneOf([type, ...types]);
        if (isOnce(2)) return `... on ${narrower.name}${directive()} ${selectionOf(narrower, depth + 1)}`;
        const name = `f${names++}`;
        fragments.push(`fragment ${name} on ${narrower.name} ${selectionOf(narrower, depth + 1)}`);
        const spread = `...${name}${directive()}`;
        return isOnce(2) ? `${spread} ${spread}` : spread;
      }
      const fields = "getFields" in type ? Object.values(type.getFields()) : [];
      const likely = fields.filter((field) => further || !isCompositeType(getNamedType(field.type)));
      return likely.length === 0 || isOnce(10) ? "__typename" : fieldOf(oneOf(likely), depth);
    }

    function selectionOf(type: GraphQLCompositeType, depth: number): string {
      const parts = Array.from({ length: 1 + upTo(depth === 0 ? 2 : 4) }, () => partOf(type, depth));
      return `{ ${parts.join(" ")} }`;
    }

    const root = schema.getQueryType();
    if (!root || !isObjectType(root)) throw new Error("the schema has no root type");
    const selection = selectionOf(root, 0);
    const head = declared.length > 0 ? `query (${declared.join(", ")})` : "query";
    return { query: [`${head} ${selection}`, ...fragments].join("\n"), variables };
  });
}
