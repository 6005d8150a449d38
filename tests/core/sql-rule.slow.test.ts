import { expect, test } from "bun:test";
import { Glob } from "bun";
import ts from "typescript";

/**
 * docs/adr/0032-sql.md: a row is written from an object by its table's twin. Every other statement is SQL,
 * prepared in a `-store.ts`.
 */

const ROOT = `${import.meta.dir}/../../`;
const DB = "src/core/base/db/";
const isStore = (path: string): boolean => path.startsWith(DB) || path.endsWith("-store.ts");

/** Functions that return only fixed text, or text made of an object's own keys. */
const MAKERS = ["columnName", "conditionOf", "descending", "mayRead", "named", "ownerMayRead"];

/** SQL expressions whose text is fixed, although the file that contains the expression does not show this. */
const KNOWN: Readonly<Record<string, string>> = {
  "src/core/services/transfer/importing-store.ts placeholders": "question marks",
  'src/core/services/transfer/exporting-store.ts conditions.join(" AND ")':
    "the conditions made above of these",
  "src/core/services/transfer/exporting-store.ts ownedRows":
    "a condition of this function, of the list of tables",
  "src/core/services/transfer/exporting-store.ts where":
    "made above of names of twins and of the list of tables",
  "src/core/identity/audit/audit-store.ts ids": "one of the two queries made above",
  "src/core/community/feed/followed-store.ts order": "up or down, by the type of the span",
  "src/core/community/feed/followed-store.ts ids": "one of the walks made above",
  "src/core/community/feed/followed-store.ts kind.ids": "one of the walks made above",
  "src/core/community/feed/followed-store.ts keys": "the keys of those walks, made above",
  "src/core/outbox/deliveries/delivery-log-store.ts state":
    "one of four words; written out, it meets the index of the failed",
  "src/core/outbox/events/events-store.ts order": "up or down, by the type of the range",
  "src/core/outbox/events/events-store.ts sql": "of the table above, by the audience of a type",
  "src/core/outbox/events/events-store.ts type":
    "one of the words of the catalogue; written out, it meets the index",
  "src/operate/backup/contents-store.ts quoted":
    "the name of a table that SQLite itself has just told, quoted",
  'src/core/outbox/events/events-store.ts walks.join(" UNION ALL ")': "the walks made above of these",
};

const VERB = /^\s*(?:SELECT|INSERT|REPLACE|UPDATE|DELETE|WITH|PRAGMA|CREATE|DROP|ALTER)\s+[\w"'*(]/;
/** `DELETE /feed` is a route, not SQL. */
const isSql = (text: string): boolean => VERB.test(text) && !/^\s*DELETE \//.test(text);

const LITERAL = String.raw`(?:\?\d*|NULL|-?\d+|'[^']*')`;
const SET = String.raw`"?\w+"?\s*=\s*(?:${LITERAL}|excluded\."?\w+"?)`;
const PLAIN_INSERT = new RegExp(
  String.raw`^\s*(?:INSERT(?:\s+OR\s+\w+)?|REPLACE)\s+INTO\s+[\w.]+\s*(?:\([^)]*\)\s*)?VALUES\s*\(\s*${LITERAL}(?:\s*,\s*${LITERAL})*\s*\)` +
    String.raw`(?:\s*ON\s+CONFLICT\s*(?:\([^)]*\))?\s*DO\s+(?:NOTHING|UPDATE\s+SET\s+${SET}(?:\s*,\s*${SET})*))?\s*$`,
  "i",
);
const PLAIN_UPDATE = new RegExp(
  String.raw`^\s*UPDATE\s+[\w.]+\s+SET\s+${SET}(?:\s*,\s*${SET})*\s+WHERE\s+${SET}(?:\s+AND\s+${SET})*\s*$`,
  "i",
);

type Sources = Readonly<Record<string, string>>;

function breaches(sources: Sources): string[] {
  const violations: string[] = [];
  const used = new Set<string>();
  for (const [path, text] of Object.entries(sources)) {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
    const report = (node: ts.Node, label: string): void =>
      void violations.push(
        `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1} ${label}`,
      );
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node)) imported(path, node, used, report);
      if (ts.isPropertyAccessExpression(node) && node.name.text === "orm")
        report(node, "asks drizzle itself");
      if (ts.isCallExpression(node) && !isStore(path)) called(node, report);
      if (isText(node)) written(path, node, file, report);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  for (const [path, text] of Object.entries(sources)) {
    if (!path.startsWith(`${DB}schema`)) continue;
    for (const [, twin = ""] of text.matchAll(/export const (\w+) = sqliteTable\(/g))
      if (!used.has(twin)) violations.push(`${path} ${twin} is used by no statement and no row`);
  }
  return violations;
}

type Report = (node: ts.Node, label: string) => void;

function imported(path: string, node: ts.ImportDeclaration, used: Set<string>, report: Report): void {
  const from = (node.moduleSpecifier as ts.StringLiteral).text;
  if (/^drizzle-orm/.test(from) && !path.startsWith(DB)) report(node, "imports drizzle");
  const names = node.importClause?.namedBindings;
  if (/\/schema[\w-]*\.ts$/.test(from) && names && ts.isNamedImports(names))
    for (const { name, propertyName } of names.elements) used.add((propertyName ?? name).text);
}

function called(node: ts.CallExpression, report: Report): void {
  if (!ts.isPropertyAccessExpression(node.expression)) return;
  const { expression: on, name } = node.expression;
  const isDb =
    (ts.isIdentifier(on) && on.text === "db") || (ts.isPropertyAccessExpression(on) && on.name.text === "db");
  if (isDb && ["prepare", "insert", "insertNew", "upsert", "patch", "exec"].includes(name.text))
    report(node, `calls ${name.text} outside of a store`);
}

type Text = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression;

function isText(node: ts.Node): node is Text {
  return (
    ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)
  );
}

/** The text of a literal. Interpolations remain as `${…}`. */
function textOf(node: Text, file: ts.SourceFile): string {
  return ts.isTemplateExpression(node) ? node.getText(file).slice(1, -1) : node.text;
}

const met = new Set<string>();

function isKnown(location: string): boolean {
  met.add(location);
  return location in KNOWN;
}

function written(path: string, node: Text, file: ts.SourceFile, report: Report): void {
  const text = textOf(node, file);
  if (isSql(text) && !isStore(path)) report(node, "is SQL outside of a store");
  // The migration table exists before any twin.
  if (!isStore(path) || path === `${DB}migrate.ts`) return;
  if (/\?/.test(text) && PLAIN_INSERT.test(text)) report(node, "inserts a row by hand");
  if (PLAIN_UPDATE.test(text)) report(node, "patches a row by hand");
  if (isSql(text) && ts.isBinaryExpression(node.parent)) report(node, "adds something to SQL");
  if (ts.isTemplateExpression(node) && /\b(?:SELECT|FROM|WHERE|INSERT|UPDATE|DELETE|AND)\b/.test(text))
    for (const { expression } of node.templateSpans)
      if (!isFixed(expression, file)) report(expression, `writes ${expression.getText(file)} into SQL`);
}

const CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/** Whether an expression can only be one of a few texts of the source code. */
function isFixed(node: ts.Node | undefined, file: ts.SourceFile): boolean {
  const fixed = (other: ts.Node | undefined): boolean => isFixed(other, file);
  if (!node) return false;
  if (isKnown(`${file.fileName} ${node.getText(file)}`)) return true;
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return true;
  if (ts.isTemplateExpression(node)) return node.templateSpans.every(({ expression }) => fixed(expression));
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return fixed(node.expression);
  if (ts.isConditionalExpression(node)) return fixed(node.whenTrue) && fixed(node.whenFalse);
  if (ts.isBinaryExpression(node)) return fixed(node.left) && fixed(node.right);
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(fixed);
  if (ts.isSpreadElement(node)) return fixed(node.expression);
  if (ts.isObjectLiteralExpression(node))
    return node.properties.every(
      (property) => ts.isPropertyAssignment(property) && fixed(property.initializer),
    );
  if (ts.isElementAccessExpression(node) || ts.isPropertyAccessExpression(node))
    return fixed(node.expression);
  if (ts.isCallExpression(node)) return isFixedCall(node, file);
  if (ts.isIdentifier(node)) return CONSTANT.test(node.text) || isFixedName(node, file);
  return false;
}

function isFixedCall({ expression, arguments: given }: ts.CallExpression, file: ts.SourceFile): boolean {
  if (ts.isIdentifier(expression)) return MAKERS.includes(expression.text);
  return (
    ts.isPropertyAccessExpression(expression) &&
    ["join", "map", "split"].includes(expression.name.text) &&
    isFixed(expression.expression, file) &&
    given.every((argument) => isFixed(ts.isArrowFunction(argument) ? argument.body : argument, file))
  );
}

function isFixedName(name: ts.Identifier, file: ts.SourceFile): boolean {
  for (let scope: ts.Node | undefined = name.parent; scope; scope = scope.parent) {
    const declaration = declarationIn(scope, name.text);
    if (declaration) return isFixedDeclaration(declaration, file);
  }
  return false;
}

function declarationIn(
  scope: ts.Node,
  name: string,
): ts.VariableDeclaration | ts.ParameterDeclaration | undefined {
  const declarations: (ts.VariableDeclaration | ts.ParameterDeclaration)[] = [];
  if (ts.isFunctionLike(scope))
    declarations.push(...(scope.parameters as readonly ts.ParameterDeclaration[]));
  if (ts.isForOfStatement(scope) && ts.isVariableDeclarationList(scope.initializer))
    declarations.push(...scope.initializer.declarations);
  if (ts.isBlock(scope) || ts.isSourceFile(scope))
    for (const statement of scope.statements)
      if (ts.isVariableStatement(statement)) declarations.push(...statement.declarationList.declarations);
  return declarations.find((declaration) => namesOf(declaration.name).includes(name));
}

function namesOf(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesOf(element.name)));
}

function isFixedDeclaration(
  declaration: ts.VariableDeclaration | ts.ParameterDeclaration,
  file: ts.SourceFile,
): boolean {
  if (ts.isParameter(declaration)) {
    // Example: `TABLES.map((table) => …)`.
    const call = declaration.parent.parent;
    if (ts.isCallExpression(call) && ts.isPropertyAccessExpression(call.expression))
      return call.expression.name.text === "map" && isFixed(call.expression.expression, file);
    return declaration.type !== undefined && isFixedType(declaration.type, file);
  }
  const list = declaration.parent;
  if (ts.isForOfStatement(list.parent)) return isFixed(list.parent.expression, file);
  // A `let` can be assigned any other value.
  return (list.flags & ts.NodeFlags.Const) !== 0 && isFixed(declaration.initializer, file);
}

/** A union of string literals, or the return type of a function that returns fixed text. */
function isFixedType(type: ts.TypeNode, file: ts.SourceFile): boolean {
  if (ts.isUnionTypeNode(type)) return type.types.every((part) => isFixedType(part, file));
  if (ts.isLiteralTypeNode(type)) return ts.isStringLiteral(type.literal);
  const alias = file.statements.find(
    (statement): statement is ts.TypeAliasDeclaration =>
      ts.isTypeAliasDeclaration(statement) && statement.name.text === type.getText(file),
  );
  if (alias) return isFixedType(alias.type, file);
  return MAKERS.some((maker) => type.getText(file) === `ReturnType<typeof ${maker}>`);
}

const sources: Record<string, string> = {};
for (const path of new Glob("src/**/*.{ts,tsx}").scanSync(ROOT))
  sources[path] = await Bun.file(ROOT + path).text();

test("docs/adr/0032-sql.md: writes rows by their twins, and prepares fixed SQL only in stores", () => {
  expect(Object.keys(sources).length).toBeGreaterThan(200);
  expect(breaches(sources)).toEqual([]);
  expect(Object.keys(KNOWN).filter((location) => !met.has(location))).toEqual([]);
});

const STORE = "src/core/feed/feed-store.ts";
const FEED = "src/core/feed/feed.ts";
const SOUND: Sources = {
  [`${DB}schema.ts`]: `export const posts = sqliteTable("posts", {});`,
  [STORE]: `import { posts } from "../base/db/schema.ts";
    const COLUMNS = "id, text";
    const HEAPS = ["likes", "tags"].map((table) => \`DELETE FROM \${table} WHERE id = ?\`);
    export function insertPost(core: Core, row: Row) { core.db.insert(posts, row); }
    export function list(core: Core, request: PageRequest, whose: "a" | "b", tag?: string) {
      const { beyond, order } = descending(request);
      const byTag = tag === undefined ? "" : "AND tag = ?";
      for (const table of ["likes", "tags"]) core.db.prepare(\`DELETE FROM \${table}\`).run();
      return core.db.prepare(\`SELECT \${COLUMNS} FROM posts WHERE \${whose} = ? \${byTag} AND id \${beyond} ? ORDER BY id \${order}\`);
    }
    export const like = "UPDATE posts SET likes = likes + ? WHERE id = ?";
    export const revoke = "UPDATE grants SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL";
    export const copy = "INSERT INTO days (id, day) SELECT id, day FROM posts WHERE id = ?";
    export const add = "INSERT INTO days (id, times) VALUES (?, 1) ON CONFLICT DO UPDATE SET times = times + excluded.times";
    export const sum = (core: Core, id: string) => core.db.prepare("SELECT 1 FROM posts WHERE id = ?").get(id);`,
  [FEED]: `import { insertPost } from "./feed-store.ts"; export const post = insertPost; const at = "DELETE /feed/{id}";`,
};

/** Planted violations: the file, the line, and the expected report. */
const PLANTED: readonly [path: string, line: string, said: string][] = [
  [STORE, `const all = core.db.orm.select().from(posts).all();`, "asks drizzle itself"],
  [FEED, `const { orm } = core.db; core.db.orm.insert(posts);`, "asks drizzle itself"],
  [STORE, `import { eq } from "drizzle-orm";`, "imports drizzle"],
  [FEED, `import { drizzle } from "drizzle-orm/better-sqlite3";`, "imports drizzle"],
  [FEED, `core.db.insert(posts, row);`, "calls insert outside of a store"],
  [FEED, `db.patch(posts, { id }, { text });`, "calls patch outside of a store"],
  [FEED, `core.db.prepare(COUNT).get();`, "calls prepare outside of a store"],
  [FEED, `const one = "SELECT 1 FROM posts WHERE id = ?";`, "is SQL outside of a store"],
  [FEED, `const more = \`UPDATE posts SET text = \${text}\`;`, "is SQL outside of a store"],
  [STORE, `const a = "INSERT INTO posts (id, text) VALUES (?, ?)";`, "inserts a row by hand"],
  [STORE, `const a = "INSERT OR IGNORE INTO posts (id, text) VALUES (?, 'x')";`, "inserts a row by hand"],
  [STORE, `const a = \`REPLACE INTO posts VALUES (?, NULL, 1)\`;`, "inserts a row by hand"],
  [
    STORE,
    `const a = "INSERT INTO posts (id) VALUES (?) ON CONFLICT (id) DO NOTHING";`,
    "inserts a row by hand",
  ],
  [
    STORE,
    `const a = \`INSERT INTO posts (id, text)\n VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text\`;`,
    "inserts a row by hand",
  ],
  [STORE, `const a = "UPDATE posts SET text = ?, hidden_at = NULL WHERE id = ?";`, "patches a row by hand"],
  [STORE, `const a = "UPDATE posts SET text = ? WHERE id = ? AND author_id = ?";`, "patches a row by hand"],
  [STORE, `const a = (id: string) => \`SELECT 1 FROM posts WHERE id = '\${id}'\`;`, "writes id into SQL"],
  [STORE, `const a = (by: string) => \`SELECT 1 FROM posts ORDER BY \${by}\`;`, "writes by into SQL"],
  [STORE, `const a = (one: Row) => \`DELETE FROM posts WHERE id = \${one.id}\`;`, "writes one.id into SQL"],
  [
    STORE,
    `let by = "a"; by = given; const a = \`SELECT 1 FROM posts WHERE \${by} = ?\`;`,
    "writes by into SQL",
  ],
  [STORE, `const a = \`SELECT 1 FROM posts WHERE \${list.map((x) => x.id).join()}\`;`, "into SQL"],
  [STORE, `const a = \`SELECT 1 FROM posts WHERE id = \${b ? "1" : id}\`;`, "into SQL"],
  [STORE, `const a = "SELECT 1 FROM posts WHERE id = " + id;`, "adds something to SQL"],
  [
    `${DB}schema.ts`,
    `export const likes = sqliteTable("likes", {});`,
    "likes is used by no statement and no row",
  ],
];

test("the SQL rule finds every planted violation, and accepts correct code", () => {
  expect(breaches(SOUND)).toEqual([]);
  for (const [path, line, said] of PLANTED) {
    const violations = breaches({ ...SOUND, [path]: `${SOUND[path]}\n${line}` });
    expect({ line, told: violations.join("\n") }).toEqual({ line, told: expect.stringContaining(said) });
  }
});
