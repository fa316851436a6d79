import ts from 'typescript';

/**
 * Guards in the sources are marked by tags. A tag says which piece of code is the guard:
 *
 * - `// guard: name` above a statement: the whole statement;
 * - `/* guard: name *\/` before an operand of `&&` or `||`: that operand;
 * - `/* guard: name = null *\/` before any other expression: that expression, and what stands there without the guard
 *   (which names nothing of the code around it, so that a renaming cannot break it);
 * - `/* guard: name *\/` at the end of a line of SQL: that line.
 *
 * A name may stand at several places: they are one guard.
 */
export interface Tagged {
  name: string;
  /** The piece of the source that is the guard. */
  start: number;
  end: number;
  /** The replacement text without the guard. */
  instead: string;
}

const aboveStatement = /^[ \t]*\/\/ guard: ([a-z-]+)$/gm;
const inline = /\/\* guard: ([a-z-]+)(?: = (.+?))? \*\//g;

/** @throws where a tag marks nothing that can be taken away */
export function tagsIn(file: string, source: string): Tagged[] {
  if (!source.includes('guard: ')) return [];
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const statements = Array.from(source.matchAll(aboveStatement), ({ index, 0: line, 1: name = '' }) =>
    statementBelow(parsed, name, index + line.length),
  );
  const others = Array.from(source.matchAll(inline), ({ index, 0: comment, 1: name = '', 2: instead }) => {
    const at = { name, start: index, end: index + comment.length };
    return isInTemplate(parsed, index) ? lineOfSql(source, at) : expressionBehind(parsed, at, instead);
  });
  return [...statements, ...others];
}

/** The source without the guards of these names; unchanged if it has none of them. */
export function withoutTagged(file: string, source: string, names: readonly string[]): string {
  return tagsIn(file, source)
    .filter(({ name }) => names.includes(name))
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, instead }) => text.slice(0, start) + instead + text.slice(end), source);
}

function statementBelow(parsed: ts.SourceFile, name: string, from: number): Tagged {
  const below = find(parsed, (node) => ts.isStatement(node) && node.pos <= from && node.getStart() > from);
  if (below === undefined) throw new Error(`${parsed.fileName}: no statement below "guard: ${name}"`);
  return { name, start: below.getStart(), end: below.end, instead: '' };
}

function lineOfSql(source: string, { name, start, end }: Omit<Tagged, 'instead'>): Tagged {
  const lineStart = source.lastIndexOf('\n', start) + 1;
  return { name, start: lineStart, end, instead: '' };
}

function expressionBehind(
  parsed: ts.SourceFile,
  { name, end }: Omit<Tagged, 'instead'>,
  instead: string | undefined,
): Tagged {
  // The largest expression that begins there, without what joins it to others.
  const behind = find(
    parsed,
    (node) => isExpression(node) && node.pos <= end && node.getStart() >= end && !joinsOthers(node),
  );
  const literal = instead ?? neutralFor(behind);
  if (behind === undefined || literal === undefined) {
    throw new Error(`${parsed.fileName}: "guard: ${name}" marks nothing that can be taken away`);
  }
  return { name, start: behind.getStart(), end: behind.end, instead: literal };
}

/** The replacement of an operand of `&&` or `||`, so that the other operands decide. */
function neutralFor(node: ts.Node | undefined): string | undefined {
  const parent = node?.parent;
  if (parent === undefined || !ts.isBinaryExpression(parent)) return undefined;
  if (parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) return 'true';
  return parent.operatorToken.kind === ts.SyntaxKind.BarBarToken ? 'false' : undefined;
}

const joining = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

const joinsOthers = (node: ts.Node): boolean =>
  ts.isConditionalExpression(node) || (ts.isBinaryExpression(node) && joining.has(node.operatorToken.kind));

const isExpression = (node: ts.Node): boolean =>
  ts.isExpressionStatement(node) ? false : ts.isExpression(node) && !ts.isTypeNode(node);

const isInTemplate = (parsed: ts.SourceFile, at: number): boolean =>
  find(parsed, (node) => ts.isTemplateLiteralToken(node) && node.getStart() < at && at < node.end) !==
  undefined;

/** The first node, from the outside in, that matches. */
function find(root: ts.Node, isIt: (node: ts.Node) => boolean): ts.Node | undefined {
  if (isIt(root)) return root;
  return ts.forEachChild(root, (child) => find(child, isIt));
}
