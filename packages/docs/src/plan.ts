/** Which pages the documentation has (D-288), in the order of its contents. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A page that is made from a file of the repository. */
export interface PlannedPage {
  /** Its path below `/docs`. */
  path: string;
  /** The file, from the root of the repository; null for a page that is generated. */
  file: string | null;
}

export interface PlannedSection {
  title: string;
  pages: readonly PlannedPage[];
}

const page = (path: string, file: string | null = `docs/${path}.md`): PlannedPage => ({ path, file });
const operating = (name: string): PlannedPage => page(`operating/${name}`);

const sections: readonly PlannedSection[] = [
  {
    title: 'Start',
    pages: [page('start'), page('test-cards', null), page('shop-checklist')],
  },
  {
    title: 'Guides for merchants',
    pages: [
      page('notifications'),
      page('catalog'),
      page('states'),
      page('checkout'),
      page('embedding'),
      page('consoles'),
      page('month-end'),
      page('sdk', 'packages/sdk/README.md'),
      page('sdk-python', 'sdks/python/README.md'),
      page('sdk-php', 'sdks/php/README.md'),
      page('sdk-go', 'sdks/go/README.md'),
      page('shops'),
      page('medusa', 'packages/medusa-payment/README.md'),
      page('vendure', 'packages/vendure-payment/README.md'),
      page('demo-shop', 'examples/shop/README.md'),
      page('cardsim', 'packages/cardsim/README.md'),
    ],
  },
  {
    title: 'Reference',
    pages: [page('api', null), page('admin-api', null), page('errors', null)],
  },
  {
    title: 'Operating Paydesk',
    pages: [
      page('operating', 'docs/operating/README.md'),
      page('going-live'),
      operating('topology'),
      operating('processes'),
      page('scaling'),
      operating('postgresql'),
      operating('connections'),
      operating('pgbouncer'),
      operating('redis'),
      operating('proxies'),
      operating('container'),
      operating('systemd'),
      operating('kubernetes'),
      operating('commands'),
      page('stripe'),
      page('accounts'),
      page('import'),
      operating('readiness'),
      operating('alerts'),
      operating('books'),
      operating('traces-and-metrics'),
      operating('errors'),
      operating('log-and-disk'),
      operating('clocks'),
      operating('upgrades'),
      operating('failover'),
      operating('restore'),
      operating('secrets'),
      operating('archive'),
    ],
  },
  {
    title: 'Trust',
    pages: [
      page('ledger'),
      page('seals'),
      page('retention'),
      page('audit'),
      page('security'),
      page('reporting', 'SECURITY.md'),
      page('reliability'),
      page('benchmarks'),
      page('changelog', 'CHANGELOG.md'),
    ],
  },
];

/** Pages for people who change Paydesk itself. They stay in the repository. */
const forContributors: readonly string[] = [
  'docs/ARCHITECTURE.md',
  'docs/guards.md',
  'docs/requirements.md',
  'docs/requirements-tests.md',
];

/** The sections with those pages whose files exist. A guide that no section names comes last, so that none is missing. */
export function planOf(root: string): PlannedSection[] {
  const exists = ({ file }: PlannedPage): boolean => file === null || existsSync(join(root, file));
  const known = new Set(sections.flatMap(({ pages }) => pages.map(({ file }) => file)));
  const others = ['docs', 'docs/operating']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith('.md') && !known.has(file) && !forContributors.includes(file))
    .map((file) => page(file.replace(/^docs\/|\.md$/g, ''), file));
  const found = sections.map(({ title, pages }) => ({ title, pages: pages.filter(exists) }));
  return others.length === 0 ? found : [...found, { title: 'More', pages: others }];
}
