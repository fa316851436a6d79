import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The page with the results of long runs. Each command writes its own section. */
const page = new URL('../../../../../docs/reliability.md', import.meta.url);

/**
 * Replaces the section of one command in docs/reliability.md.
 *
 * @param lines Markdown
 * @throws where the page has no such section
 */
export function publishSection(command: string, lines: readonly string[]): void {
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), command, lines));
}

/** The text of the page with the section of one command replaced. */
export function withSection(text: string, command: string, lines: readonly string[]): string {
  const [begin, end] = [`<!-- npm run ${command}: begin -->`, `<!-- npm run ${command}: end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/reliability.md has no section "npm run ${command}"`);
  return `${text.slice(0, from + begin.length)}\n\n${lines.join('\n')}\n\n${text.slice(to)}`;
}

/** The commit of the sources that run, with a sign where they differ from it. */
export function sourceCommit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: fileURLToPath(new URL('.', page)), encoding: 'utf8' }).trim();
  try {
    const changed =
      git('status', '--porcelain', '--', '../packages/*/src', '../packages/server/migrations') !== '';
    return `${git('rev-parse', '--short=10', 'HEAD')}${changed ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}

/** A table in Markdown, with these columns. */
export const markdownTable = (
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): string[] => [
  `| ${columns.join(' | ')} |`,
  `|${columns.map(() => '---').join('|')}|`,
  ...rows.map((row) => `| ${row.map(String).join(' | ')} |`),
];
