import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/catalogue.ts';
import { readArguments } from '../../src/cli/shared/read-arguments.ts';
import { readEnvironment, settings } from '../../src/environment.ts';
import {
  anchorsOf,
  blocksOf,
  documentation,
  guide,
  inlineCodeOf,
  linksOf,
  type Page,
  paydeskCalls,
  readPage,
  root,
  shellCommands,
} from '../support/rules/guide.ts';

/** What the guide for operators names exists: pages, commands, options, settings, metrics, alerts, drills (H-24). */

const pages = guide();
const paths = pages.map(({ path }) => path);
const pageOf = (path: string): Page => pages.find((page) => page.path === path) ?? readPage(path);

/** All that a pattern finds in the guide, each with its page. */
const named = (pattern: RegExp): [name: string, page: string][] =>
  pages.flatMap(({ path, text }) => {
    const found = new Set([...text.matchAll(pattern)].map(([, name = '']) => name));
    return [...found].map((name): [string, string] => [name, path]);
  });

describe('links', () => {
  const problemOf = (from: Page, link: string): string | null => {
    const [file = '', anchor] = link.split('#');
    // A page of the running service: packages/server/src/http/docs-site.test.ts follows it.
    if (file.startsWith('/docs/')) return null;
    const target = file === '' ? from.path : normalize(join(dirname(from.path), file));
    if (!existsSync(join(root, target))) return `${link}: there is no ${target}`;
    if (anchor === undefined || statSync(join(root, target)).isDirectory() || !target.endsWith('.md'))
      return null;
    return anchorsOf(pageOf(target)).has(anchor) ? null : `${link}: ${target} has no such heading`;
  };

  test('H-24 every relative link of the documentation leads somewhere', () => {
    const wrong = documentation().flatMap((page) =>
      linksOf(page).flatMap((link) => problemOf(page, link)?.replace(/^/, `${page.path}: `) ?? []),
    );
    expect(wrong).toEqual([]);
  });

  test('H-24 the first page of the guide leads to every other page', () => {
    const links = linksOf(pageOf('docs/operating/README.md')).map((link) => link.split('#')[0] ?? '');
    const reached = links.map((link) => normalize(join('docs/operating', link)));
    expect(paths.filter((path) => !path.endsWith('/README.md') && !reached.includes(path))).toEqual([]);
  });
});

/** Names that processes show in PostgreSQL. */
const applicationNames = ['paydesk web', 'paydesk worker', 'paydesk all'];

/** Why the program would refuse these arguments; null if it takes them. */
function refusalOf(args: readonly string[], isMention: boolean): string | null {
  const [name = '', ...rest] = args;
  const said = `paydesk ${args.join(' ')}`;
  if (name === 'COMMAND' || applicationNames.includes(said)) return null;
  const usage = commands.find((command) => command.usage.name === name)?.usage;
  if (usage === undefined) return `${said}: there is no such command`;
  if (isMention && rest.length === 0) return null;
  try {
    const given = readArguments(rest, usage);
    const missing = usage.options?.find(
      (option) => option.required === true && given.options[option.name] === undefined,
    );
    return missing === undefined ? null : `${said}: --${missing.name} is missing`;
  } catch (error) {
    return `${said}: ${(error as Error).message}`;
  }
}

describe('commands', () => {
  test('H-24 the program takes every paydesk command, with its options', () => {
    const forMerchants = ['start', 'shop-checklist', 'catalog'].map((name) => readPage(`docs/${name}.md`));
    const refused = [...pages, ...forMerchants].flatMap((page) => {
      const shell = blocksOf(page).filter(({ language }) => language === 'sh');
      const inline = inlineCodeOf(page).filter((code) => /^(npx )?paydesk [a-zA-Z]/.test(code));
      return [
        ...shell.flatMap(({ text }) => paydeskCalls(text)).map((args) => refusalOf(args, false)),
        ...inline.flatMap((code) => paydeskCalls(code)).map((args) => refusalOf(args, true)),
      ].flatMap((why) => (why === null ? [] : `${page.path}: ${why}`));
    });
    expect(refused).toEqual([]);
  });

  test('H-24 the program takes the examples of its help', () => {
    const examples = commands.flatMap(({ usage }) => usage.example).flatMap(paydeskCalls);
    expect(examples.length).toBeGreaterThanOrEqual(commands.length);
    expect(examples.flatMap((args) => refusalOf(args, false) ?? [])).toEqual([]);
  });

  test('H-24 every block says its language, so that commands are known as such', () => {
    const languages = ['sh', 'sql', 'text', 'ini', 'yaml', 'nginx', 'json'];
    const wrong = pages.flatMap(blocksOf).filter(({ language }) => !languages.includes(language));
    expect(wrong).toEqual([]);
  });

  test('H-24 every npm script exists, and every drill', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const called = named(/\bnpm run ([\w:-]+)/g);
    expect(called.filter(([name]) => !Object.hasOwn(scripts, name))).toEqual([]);
    const main = readFileSync(join(root, 'packages/server/test/drills/main.ts'), 'utf8');
    const drills = named(/\bnpm run drill -- (\w+)/g);
    expect(drills.length).toBeGreaterThan(7);
    expect(drills.filter(([name]) => !main.includes(`\n  ${name}: '`))).toEqual([]);
  });

  test('a shell text is read as a shell reads it', () => {
    const text = `A='x y' npx paydesk keys < in.txt 2>&1 | tail # no\n\ncd d && docker exec web paydesk serve \\\n --role "web"; b`;
    expect(shellCommands(text)).toEqual([
      ['A=x y', 'npx', 'paydesk', 'keys'],
      ['tail'],
      ['cd', 'd'],
      ['docker', 'exec', 'web', 'paydesk', 'serve', '--role', 'web'],
      ['b'],
    ]);
    expect(paydeskCalls(text)).toEqual([['keys'], ['serve', '--role', 'web']]);
  });
});

describe('names', () => {
  const isSetting = (name: string): boolean => {
    if (name.endsWith('_FILE') && settings.includes(name.slice(0, -'_FILE'.length))) return true;
    try {
      return readEnvironment({ [name]: 'x' })[name] === 'x';
    } catch {
      return false;
    }
  };

  test('H-24 every variable that begins with PAYDESK_ is a setting', () => {
    expect(named(/\b(PAYDESK_[A-Z_]+[A-Z])\b/g).filter(([name]) => !isSetting(name))).toEqual([]);
  });

  test('D-1205 readiness.md names the loops whose pass may take 15 minutes', () => {
    const source = readFileSync(join(root, 'packages/server/src/compose/background.ts'), 'utf8');
    const thorough = [...source.matchAll(/\bevery\('([\w-]+)'.*\bthorough\b/g)].map(([, name]) => name);
    const { text } = pageOf('docs/operating/readiness.md');
    const [, named = ''] = /15 minutes for (.*?);/.exec(text) ?? [];
    expect(inlineCodeOf({ path: '', text: named })).toEqual(thorough);
  });

  test('H-24 every metric is one of the list, which another test compares with what is measured', () => {
    const list = pageOf('docs/operating/traces-and-metrics.md').text;
    const metrics = new Set([...list.matchAll(/^\| `(paydesk_\w+)` \|/gm)].map(([, name = '']) => name));
    expect(metrics.size).toBeGreaterThan(20);
    const roles = ['paydesk_app', 'paydesk_owner', 'paydesk_service'];
    const isKnown = (name: string): boolean =>
      metrics.has(name) || metrics.has(name.replace(/_(bucket|count|sum)$/, '')) || roles.includes(name);
    expect(named(/\b(paydesk_[a-z_]+)\b/g).filter(([name]) => !isKnown(name))).toEqual([]);
  });

  test('H-24 every alert exists', () => {
    const alerts = readFileSync(join(root, 'deploy/prometheus/alerts.yaml'), 'utf8');
    const unknown = named(/\b(Paydesk[A-Z]\w+)\b/g).filter(
      ([name]) => !alerts.includes(`- alert: ${name}\n`),
    );
    expect(unknown).toEqual([]);
  });
});
