/** Reads the imports of a source, and its uses of APIs outside the program, with TypeScript's parser. */
import { isBuiltin } from "node:module";
import ts from "typescript";

export interface Import {
  from: string;
  /**
   * Type imports are checked like other imports. `dynamic` is `import(…)`. `effect` is `import "…"`, which
   * only runs a file.
   */
  kind: "import" | "type" | "re-export" | "dynamic" | "effect";
  line: number;
}

/** An API outside the program, such as `fetch`, `process.env`, `new Date()` or `node:fs.readFileSync`. */
export interface Use {
  what: string;
  line: number;
}

export interface Source {
  path: string;
  imports: Import[];
  uses: Use[];
  /** Module-level state that can change: a `let` or `var`, or a map or set that is created empty. */
  state: Use[];
}

/** The path of an import that is not a string literal. */
export const UNKNOWN_NAMES = "an expression";

/** Globals that access the world outside a function, or can hide such an access. */
const GLOBALS: ReadonlySet<string> = new Set(
  `process Bun Date Math performance fetch crypto globalThis global self require eval Function console WebSocket EventSource
   XMLHttpRequest Worker BroadcastChannel Request Response setTimeout setInterval setImmediate queueMicrotask AbortSignal Temporal`.split(
    /\s+/,
  ),
);

/** Pure functions of these globals, which are allowed everywhere. */
const HARMLESS =
  /^(?:Math\.(?!random$)\w+|Date\.(?:UTC|parse)|Temporal\.(?!Now$)\w+|AbortSignal\.(?!timeout$)\w+|Response\.json)$/;

export function readSource(path: string, text: string): Source {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const source: Source = { path, imports: [], uses: [], state: [] };
  const lineOf = (node: ts.Node) => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  visit(file);
  file.statements.filter(ts.isVariableStatement).forEach(kept);
  return source;

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node)) declared(node);
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier)
      add(node, node.moduleSpecifier, "re-export");
    else if (ts.isImportTypeNode(node)) add(node, node.argument, "type");
    else if (ts.isExternalModuleReference(node)) add(node, node.expression, "import");
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node, node.arguments[0] ?? node, "dynamic");
    else if (isWorkerPath(node)) add(node, node.arguments?.[0] ?? node, "dynamic");
    else if (ts.isMetaProperty(node)) metaUsed(node);
    else if (ts.isIdentifier(node) && GLOBALS.has(node.text) && isValue(node)) used(node);
    ts.forEachChild(node, visit);
  }

  function kept({ declarationList: { flags, declarations } }: ts.VariableStatement): void {
    for (const each of declarations) {
      const isOpen = (flags & ts.NodeFlags.Const) === 0 || beginsEmpty(each);
      if (isOpen) source.state.push({ what: each.name.getText(), line: lineOf(each) });
    }
  }

  function add(node: ts.Node, place: ts.Node, as: Import["kind"]): string {
    const inner = ts.isLiteralTypeNode(place) ? place.literal : place;
    const from = ts.isStringLiteralLike(inner) ? inner.text : UNKNOWN_NAMES;
    source.imports.push({ from, kind: as, line: lineOf(node) });
    if (as === "dynamic" || as === "re-export" || ts.isExternalModuleReference(node))
      taken(node, from, ["*"]);
    return from;
  }

  /** Records the uses of a built-in module. */
  function taken(node: ts.Node, from: string, names: readonly string[]): void {
    if (!isBuiltin(from)) return;
    const plain = from.replace(/^node:/, "");
    const module =
      plain === "bun" ? "Bun" : plain === "process" || from.includes("bun:") ? plain : `node:${plain}`;
    for (const name of names) source.uses.push({ what: `${module}.${name}`, line: lineOf(node) });
  }

  function declared(node: ts.ImportDeclaration): void {
    const { importClause: clause, moduleSpecifier } = node;
    const isType = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    const from = add(node, moduleSpecifier, clause ? (isType ? "type" : "import") : "effect");
    if (isType) return;
    const bindings = clause?.namedBindings;
    const names =
      bindings && ts.isNamedImports(bindings) && !clause.name
        ? bindings.elements
            .filter(({ isTypeOnly }) => !isTypeOnly)
            .map((each) => (each.propertyName ?? each.name).text)
        : ["*"];
    taken(node, from, names);
  }

  /** Records `import.meta.env` and `import.meta.require`. */
  function metaUsed(node: ts.MetaProperty): void {
    const member = memberOf(node);
    if (member === "env" || member === "require")
      source.uses.push({ what: `import.meta.${member}`, line: lineOf(node) });
  }

  function used(node: ts.Identifier): void {
    const { parent, text: name } = node;
    const member = memberOf(node);
    let label = member === undefined ? name : `${name}.${member}`;
    if (name === "Date" && ts.isNewExpression(parent) && parent.expression === node) {
      if (parent.arguments?.length) return;
      label = "new Date()";
    }
    if (!HARMLESS.test(label)) source.uses.push({ what: label, line: lineOf(node) });
  }
}

/**
 * Whether a variable is a new, empty map or set. Types such as ReadonlyMap do not count, because nothing can
 * be added.
 */
function beginsEmpty({ initializer, type }: ts.VariableDeclaration): boolean {
  if (!initializer || !ts.isNewExpression(initializer) || initializer.arguments?.length) return false;
  return (
    /^(?:Weak)?(?:Map|Set)$|^AsyncLocalStorage$/.test(initializer.expression.getText()) &&
    !type?.getText().startsWith("Readonly")
  );
}

/** Whether a node is `new URL("./file.ts", import.meta.url)`, the program of a worker. */
function isWorkerPath(node: ts.Node): node is ts.NewExpression {
  return (
    ts.isNewExpression(node) &&
    node.expression.getText() === "URL" &&
    /^import\.meta\.(?:url|dir)$/.test(node.arguments?.[1]?.getText() ?? "")
  );
}

/**
 * Returns the accessed member of an object: `.name` or `["name"]`. Returns `[…]` if the text does not show
 * the name.
 */
function memberOf(node: ts.Node): string | undefined {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) return parent.name.text;
  if (!ts.isElementAccessExpression(parent) || parent.expression !== node) return undefined;
  return ts.isStringLiteralLike(parent.argumentExpression) ? parent.argumentExpression.text : "[…]";
}

/** Whether an identifier is a value, and neither a type nor the member name of another object. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent))
    return ts.isPropertyAccessExpression(parent) && parent.expression === node;
  if (ts.isTypeReferenceNode(parent) || ts.isExpressionWithTypeArguments(parent)) return false;
  const isName = "name" in parent && parent.name === node && !ts.isShorthandPropertyAssignment(parent);
  return (
    !isName && !(ts.isBindingElement(parent) && parent.propertyName === node) && !ts.isImportSpecifier(parent)
  );
}
