// Tests docs/contract.md#9.13: pages contain no text outside the message catalogue.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const WEB = join(import.meta.dir, "../../src/web");

/** Attributes and properties whose values people read or hear. */
const SAID = /^(?:label|legend|hint|title|words|alt|placeholder|aria-(?:label|description|roledescription))$/;

/** Whether a text looks like prose: several words, or one capitalized word. */
const isProse = (text: string): boolean =>
  !text.startsWith("<") && /\p{L}{2,} \p{L}|^\p{Lu}\p{Ll}+[.:!?…]?$/u.test(text.trim());

/** Returns the literal texts in a source file. */
function literalTextsIn(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const note = (node: ts.Node, text: string): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    found.push(`${path}:${line + 1}: ${text.trim().replaceAll(/\s+/g, " ")}`);
  };
  const visit = (node: ts.Node, isSaid: boolean): void => {
    // Errors are written for the log.
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isNewExpression(node)) return;
    // A type of schema.org.
    if (ts.isPropertyAssignment(node) && node.name.getText(source) === '"@type"') {
      if (ts.isStringLiteral(node.initializer)) return;
    }
    if (ts.isJsxText(node) && /\p{L}/u.test(node.text)) note(node, node.text);
    if (ts.isJsxAttribute(node)) {
      // Other attributes are for the browser, such as classes and paths.
      if (!SAID.test(node.name.getText(source))) {
        if (node.initializer && ts.isJsxExpression(node.initializer)) visitParts(node.initializer);
        return;
      }
      ts.forEachChild(node, (child) => visit(child, true));
      return;
    }
    if (ts.isBinaryExpression(node) && /^[!=]==$/.test(node.operatorToken.getText(source))) isSaid = false;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      if (isProse(node.text) || (isSaid && /\p{L}/u.test(node.text))) note(node, node.text);
      return;
    }
    const said = ts.isPropertyAssignment(node) && SAID.test(node.name.getText(source));
    ts.forEachChild(node, (child) =>
      visit(child, (ts.isPropertyAssignment(node) ? said : isSaid) && !isOwn(child)),
    );
  };
  /** Visits elements and objects inside an attribute. */
  const visitParts = (node: ts.Node): void => {
    if (
      ts.isJsxElement(node) ||
      ts.isJsxFragment(node) ||
      ts.isJsxSelfClosingElement(node) ||
      ts.isObjectLiteralExpression(node)
    )
      visit(node, false);
    else ts.forEachChild(node, visitParts);
  };
  visit(source, false);
  return found;
}

/** Whether the node is a call or property access. Strings in such a node are keys and are not shown. */
function isOwn(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node) || ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
  );
}

const files = [...new Bun.Glob("{pages,parts}/**/*.{ts,tsx}").scanSync(WEB), "app.tsx"].sort();

test("page sources contain no text outside the message catalogue", () => {
  const found = files.flatMap((path) => literalTextsIn(path, readFileSync(join(WEB, path), "utf8")));
  expect(found).toEqual([]);
});

test("a planted literal text is found in every position", () => {
  const planted = `
    export const View = () => (
      <Heading title={isNew ? "new" : words.old}>
        <p class="row meta">by {name}</p>
        <Button kind="quiet">{isOpen ? "Close" : "open it"}</Button>
        <input aria-label="name" type="text" placeholder={\`up to \${max}\`} />
        <Heading title={state === "open" ? "it waits" : words.old} />
        <Views views={[{ href: "/jobs", label: "board" }]} action={<a href="/">home</a>} />
        <svg><path d="M12 20 L10 a" /></svg>
      </Heading>
    );`;
  expect(literalTextsIn("x.tsx", planted).map((found) => found.replace(/^x\.tsx:\d+: /, ""))).toEqual([
    "new",
    "by",
    "Close",
    "open it",
    "name",
    "up to",
    "it waits",
    "board",
    "home",
  ]);
  expect(files.length).toBeGreaterThan(60);
});
