/** Finds texts that stand in a screen instead of a catalogue, by the syntax tree. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Folders whose texts are not in the catalogue yet. */
const unconverted: readonly string[] = [];

const root = new URL('..', import.meta.url);
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|\.d\.ts$|^texts\//.test(path));

/** Names of attributes and members that people read, or hear from a screen reader. */
const shown =
  /^(about|alt|aria-label|ariaLabel|confirm|description|done|empty|header|label|message|note|placeholder|title|what|why)$/;

/** A text as people write it: a capital and small letters, or several words. */
const isWords = (text: string): boolean =>
  /^[A-Z][a-z]+[^a-zA-Z]*$|[a-zA-Z]{2}[,.:;]? [a-zA-Z]{2}/.test(text.trim());

test('D-276 the finder finds texts, and only texts', () => {
  const found = (code: string): string[] => outside('a.tsx', code).map(({ text }) => text);
  expect(found(`<p>Nothing here {x}</p>`)).toEqual(['Nothing here']);
  expect(found(`<A label="name" title={y ? 'Two words' : t('k')} />`)).toEqual(['name', 'Two words']);
  expect(found('const a = { header: `All ${n}` }; const b = `${n} of the orders`;')).toEqual([
    'All',
    'of the orders',
  ]);
  expect(
    found(`throw new Error('no such thing here'); import 'a b'; t('k'); <A className="a b" to="/x" />`),
  ).toEqual([]);
});

test('D-276 every text of a converted folder is in the catalogue', () => {
  const strays = sources
    .filter((path) => !unconverted.includes(dirname(path)))
    .flatMap((path) =>
      outside(path, readFileSync(new URL(path, root), 'utf8')).map(
        ({ line, text }) => `${path}:${line} ${text}`,
      ),
    );
  expect(strays).toEqual([]);
});

test('D-276 the list of unconverted folders only shrinks', () => {
  const clean = unconverted.filter((folder) =>
    sources
      .filter((path) => dirname(path) === folder)
      .every((path) => outside(path, readFileSync(new URL(path, root), 'utf8')).length === 0),
  );
  expect(clean).toEqual([]);
});

interface Stray {
  line: number;
  text: string;
}

/** The texts of a module that are outside of the catalogue. */
function outside(path: string, code: string): Stray[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, kind);
  const strays: Stray[] = [];
  const add = (node: ts.Node, text: string): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    strays.push({ line: line + 1, text: text.trim() });
  };
  const visit = (node: ts.Node): void => {
    if (isTechnical(node)) return;
    if (ts.isJsxText(node) && /\p{Ll}{2}/u.test(node.text)) add(node, node.text);
    const text = literalText(node);
    if (text !== null && (isShown(node) ? /[a-z]{2}/.test(text) : isWords(text))) add(node, text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return strays;
}

/** The words of a text literal or a template; null for any other node. */
function literalText(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  const words = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ');
  // An address or a selector is no text.
  return /[/=#]/.test(words) ? null : words;
}

/** Whether a literal is the value of an attribute or a member that people read. */
function isShown({ parent }: ts.Node): boolean {
  const named = ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : '';
  return shown.test(named.replaceAll(/['"]/g, ''));
}

/** Functions whose arguments are no texts. */
const takesCode = new Set(['closest', 'matchMedia', 'querySelector', 'screen', 'useMediaQuery', 'verbatim']);

function calleeOf({ expression }: ts.CallExpression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
}

/** Where a literal is for the machine: imports, types, errors for developers, names of members, styles. */
function isTechnical(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return true;
  if (ts.isThrowStatement(node)) return !node.getText().startsWith('throw new ApiError');
  if (ts.isJsxAttribute(node)) {
    return /^(className|d|viewBox|style|data-.*|rel|valueFormat|gridTemplate.*)$/.test(node.name.getText());
  }
  const { parent } = node as Partial<ts.Node>;
  if (parent === undefined) return false;
  if (ts.isPropertyAssignment(parent) && (parent.name === node || /^font/.test(parent.name.getText())))
    return true;
  // The service's own name is the same in every language.
  if (ts.isStringLiteral(node) && node.text === 'Paydesk') return true;
  if (ts.isCallExpression(parent) && parent.expression !== node && takesCode.has(calleeOf(parent)))
    return true;
  if (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText())) return true;
  return ts.isCaseClause(parent) || ts.isElementAccessExpression(parent);
}
