import ts from "typescript";

/** A string literal, and the line on which it begins. */
export interface Literal {
  line: number;
  text: string;
}

/**
 * Returns the sentences in the string literals of a source: log messages, findings of the doctor, errors of
 * commands and descriptions. Each expression in a template becomes `{value}`. Literals that are joined with
 * `+` become one text.
 */
export function sentencesOf(path: string, source: string): Literal[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (isNotRead(node)) return;
    const text = textOf(node);
    if (text !== undefined && isSentence(text)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push({ line: line + 1, text });
    }
    // An expression in a template can contain other sentences.
    ts.forEachChild(node, text === undefined ? visit : visitExpressions);
  };
  const visitExpressions = (node: ts.Node): void => {
    if (textOf(node) === undefined) visit(node);
    else ts.forEachChild(node, visitExpressions);
  };
  visit(file);
  return found;
}

/**
 * Whether a node and its children contain no sentences to check. Imports, types and comparisons contain
 * names. Examples contain texts of members. A string that is split is a list of words.
 */
function isNotRead(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isTypeNode(node) ||
    ts.isTaggedTemplateExpression(node) ||
    (ts.isPropertyAssignment(node) && /^examples?$/.test(node.name.getText())) ||
    (ts.isBinaryExpression(node) && /^[!=]==?$/.test(node.operatorToken.getText())) ||
    (parent && ts.isCaseClause(parent) && parent.expression === node) ||
    (parent && ts.isPropertyAccessExpression(parent) && parent.name.text === "split")
  );
}

function textOf(node: ts.Node): string | undefined {
  if (
    (ts.isJsxElement(node) || ts.isJsxFragment(node)) &&
    node.children.some((child) => ts.isJsxText(child) && /\p{L}/u.test(child.text))
  )
    return jsxText(node);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `{value}${literal.text}`).join("");
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    if (left !== undefined && right !== undefined) return left + right;
  }
  return undefined;
}

const SQL =
  /^\s*\(?\s*(?:INSERT|UPDATE|DELETE|WITH|CREATE|REPLACE|PRAGMA|ALTER|DROP|ATTACH|DETACH|VACUUM|BEGIN|FROM|AND|OR|NOT|LIMIT|LEFT|CASE|UNION|VALUES|SET|ON|INNER|coalesce|json_)\b|\b(?:SELECT|WHERE|JOIN|EXISTS|[a-z_]+ AS [a-zA-Z]+|IS (?:NOT )?NULL|(?:GROUP|ORDER) BY)\b/;
const WORD = /^[("“`]*\p{L}[\p{L}'’-]*[)"”`,.;:!?]*$/u;

/** Returns the text of an element as Markdown. */
function jsxText(node: ts.JsxElement | ts.JsxFragment): string {
  const text = node.children
    .map((child) => {
      if (ts.isJsxText(child)) return child.text;
      if (ts.isJsxElement(child) || ts.isJsxFragment(child)) return jsxText(child);
      const isText =
        ts.isJsxExpression(child) && child.expression && ts.isStringLiteralLike(child.expression);
      return isText ? (child.expression as ts.StringLiteralLike).text : "{value}";
    })
    .join("")
    .replaceAll(/\s+/g, " ");
  const isCode = ts.isJsxElement(node) && node.openingElement.tagName.getText() === "code";
  return isCode ? `\`${text}\`` : text;
}

/** Words that nearly every English sentence contains. A list of names contains none of them. */
const FUNCTION_WORD =
  /\b(?:an?|and|are|as|at|be|been|by|for|from|has|have|in|is|it|its|no|not|of|on|or|that|the|this|to|was|were|with|you|your)\b/i;

/** Whether a text has a function word, and three words in a row that are not code. */
function isSentence(text: string): boolean {
  if (SQL.test(text) || text.trimStart().startsWith("<") || !FUNCTION_WORD.test(text)) return false;
  const words = text.split(/\s+/).map((word) => WORD.test(word));
  return words.some((_, i) => words[i] === true && words[i + 1] === true && words[i + 2] === true);
}
