/** The pages of the documentation as tests read them: links, headings, blocks of code, and the commands in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../../../', import.meta.url));

export interface Page {
  /** Its path from the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** A fenced block of code, without its indentation. */
export interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const fence = /^( *)```(\w*)\n([^]*?)^ *```$/gm;

export const readPage = (path: string): Page => ({ path, text: readFileSync(join(root, path), 'utf8') });

const pagesBelow = (folder: string): Page[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => readPage(join(folder, name)));

/** The guide for operators. */
export const guide = (): Page[] => [...pagesBelow('docs/operating'), readPage('docs/going-live.md')];

/** All pages with relative links. */
export const documentation = (): Page[] => [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].map(readPage),
  ...['docs', 'deploy', 'examples'].flatMap(pagesBelow),
];

export const blocksOf = ({ path, text }: Page): Block[] =>
  [...text.matchAll(fence)].map(([, indent = '', language = '', code = '']) => ({
    page: path,
    language,
    text: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trimEnd(),
  }));

/** What stands in backticks outside of blocks, each on one line. */
export const inlineCodeOf = ({ text }: Page): string[] =>
  [...text.replaceAll(fence, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' '));

/** The targets of relative links. */
export const linksOf = ({ text }: Page): string[] =>
  [
    ...text
      .replaceAll(fence, '')
      .replaceAll(/`[^`]+`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^\w+:/.test(target));

/** The anchors of the headings, as GitHub makes them. */
export function anchorsOf({ text }: Page): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replaceAll(fence, '').matchAll(/^#+ (.*)$/gm)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
    const taken = [...anchors].filter((anchor) => anchor.replace(/-\d+$/, '') === slug).length;
    anchors.add(taken === 0 ? slug : `${slug}-${taken}`);
  }
  return anchors;
}

/** The simple commands of a shell text, as words. Redirections and comments are left out. */
export function shellCommands(text: string): string[][] {
  const commands: string[][] = [[]];
  const parts =
    /\\\n|(?:^|\s)#[^\n]*|[\d&]?[<>]{1,2}&?\s*\S+|&&|\|\||[;|&\n]|[ \t]+|(?:'[^']*'|"[^"]*"|\\.|[^\s;|&<>'"\\])+/g;
  for (const [part] of text.matchAll(parts)) {
    if (/^(&&|\|\||[;|&\n]|\s*#)/.test(part)) commands.push([]);
    else if (/^(\s|\\\n|[\d&]?[<>])/.test(part)) continue;
    else commands.at(-1)?.push(part.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
  }
  return commands.filter((words) => words.length > 0);
}

/** The arguments of each call of `paydesk`, also of those in a container or by the path of the program. */
export const paydeskCalls = (text: string): string[][] =>
  shellCommands(text).flatMap((words) => {
    const at = words.findIndex((word, i) => {
      const before = words[i - 1];
      const isFirst = before === undefined || /^(\w+=.*|npx|--|web|worker)$/s.test(before);
      return (word === 'paydesk' && isFirst) || word.endsWith('bin/paydesk.js');
    });
    return at === -1 ? [] : [words.slice(at + 1)];
  });
