import {
  type FieldNode,
  type FragmentDefinitionNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  isAbstractType,
  Kind,
  type NamedTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  type VariableValues,
} from "graphql";

/** Whether a selection is included according to `@skip` and `@include`. */
export function isIncluded(node: SelectionNode, variables: VariableValues | undefined): boolean {
  if (!node.directives?.length) return true;
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.["if"] !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.["if"] !== false
  );
}

export interface SelectionContext {
  schema: GraphQLSchema;
  fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /** Values of the variables. `undefined` if the selection does not depend on variables. */
  variables: VariableValues | undefined;
}

/**
 * Collects the selected fields of an object type by response name, in order of first appearance (GraphQL
 * §6.3.2 “Field Collection”).
 */
export function selectedFields(
  { schema, fragments, variables }: SelectionContext,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): ReadonlyMap<string, readonly FieldNode[]> {
  const fields = new Map<string, FieldNode[]>();
  const spread = new Set<string>();

  const isOf = (condition: NamedTypeNode | undefined): boolean => {
    if (!condition || condition.name.value === type.name) return true;
    const named = schema.getType(condition.name.value);
    return isAbstractType(named) && schema.isSubType(named, type);
  };

  const collect = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (!isIncluded(node, variables)) continue;
      if (node.kind === Kind.FIELD) {
        const key = (node.alias ?? node.name).value;
        const same = fields.get(key);
        if (same) same.push(node);
        else fields.set(key, [node]);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        if (isOf(node.typeCondition)) collect(node.selectionSet);
      } else {
        const name = node.name.value;
        const fragment = fragments[name];
        if (!fragment || spread.has(name) || !isOf(fragment.typeCondition)) continue;
        spread.add(name);
        collect(fragment.selectionSet);
      }
    }
  };

  for (const set of sets) collect(set);
  return fields;
}
