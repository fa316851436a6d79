import { alarmKinds } from '@paydesk/contract';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/catalogue.ts';
import { readArguments } from '../../src/cli/shared/read-arguments.ts';
import { temporaryDirectory } from '../support/run/temporary.ts';
import { promtool } from '../support/run/tools.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const alertsFile = join(root, 'deploy/prometheus/alerts.yaml');
const alerts = await readFile(alertsFile, 'utf8');
const guide = await readFile(join(root, 'docs/operating/alerts.md'), 'utf8');

interface Dashboard {
  uid: string;
  panels: { id: number; title: string; type: string; targets?: { expr: string }[] }[];
}

const grafana = join(root, 'deploy/grafana');
const dashboards = await Promise.all(
  (await readdir(grafana)).map(
    async (name) => JSON.parse(await readFile(join(grafana, name), 'utf8')) as Dashboard,
  ),
);

const rules = alerts.split(/^ {6}- alert: /m).slice(1);
const names = rules.map((rule) => rule.split('\n', 1)[0] ?? '');
const sections = new Map(
  guide
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.split('\n', 1)[0] ?? '', section]),
);

describe('the alerts', () => {
  test('each has a severity, a summary and a section of the guide, which says what to do', () => {
    for (const [i, name] of names.entries()) {
      expect(rules[i]).toMatch(/severity: (critical|warning)\n/);
      expect(rules[i]).toMatch(/summary: .{10,}\n/);
      expect(rules[i]).toContain(`runbook_url: docs/operating/alerts.md#${name.toLowerCase()}\n`);
      expect(sections.get(name)).toMatch(
        /\*\*When:\*\*[^]*\*\*What it means\.\*\*[^]*\*\*What to do\.\*\*\n\n1\. /,
      );
      expect(guide).toContain(`| [${name}](#${name.toLowerCase()}) | `);
    }
  });

  test('the guide has no section for an alert that does not exist', () => {
    expect([...sections.keys()].sort()).toEqual([...names].sort());
  });

  test('each command of the guide can be run as it stands', () => {
    const calls = [...guide.matchAll(/`npx paydesk ([^`]+)`/g)].map(([, call = '']) => call);
    expect(calls.length).toBeGreaterThan(3);
    for (const call of calls) {
      const [name, ...args] = call.split(' ');
      const { usage } = commands.find((command) => command.usage.name === name) ?? {};
      const given = usage === undefined ? null : readArguments(args, usage);
      const lacking = usage?.options?.filter((one) => one.required === true && !given?.options[one.name]);
      expect([call, lacking]).toEqual([call, []]);
    }
  });

  test('every alarm of the platform’s overview has an alert', () => {
    for (const kind of alarmKinds) expect(guide).toContain(`The overview shows it as \`${kind}\`.`);
  });
});

const run = promisify(execFile);
const tool = promtool();

describe.skipIf(tool === undefined)('promtool', () => {
  const ask = async (...args: string[]): Promise<string> => (await run(tool ?? '', args)).stdout;

  test('accepts the alerts and the example', async () => {
    expect(await ask('check', 'rules', alertsFile)).toContain(`SUCCESS: ${names.length} rules found`);
    const example = join(root, 'deploy/prometheus/prometheus.example.yaml');
    expect(await ask('check', 'config', example)).toContain('is valid prometheus config file');
  });

  test('D-1017 the tests of the alerts pass', async () => {
    expect(await ask('test', 'rules', join(root, 'deploy/prometheus/tests.yaml'))).toContain('SUCCESS');
  });

  test('accepts every query of the dashboards', async () => {
    const queries = dashboards.flatMap(({ panels }) =>
      panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    );
    const filled = queries.map((expr) =>
      expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
    );
    const lines = filled.map((expr, i) => `- {record: "q${i}", expr: ${JSON.stringify(expr)}}`);
    const directory = await temporaryDirectory('queries');
    const file = join(directory.path, 'queries.yaml');
    try {
      await writeFile(
        file,
        `groups: [{name: queries, rules: [${lines.map((line) => line.slice(2)).join(',\n')}]}]\n`,
      );
      expect(await ask('check', 'rules', file)).toContain(`SUCCESS: ${queries.length} rules found`);
    } finally {
      await directory.remove();
    }
  });
});

test('each panel of a dashboard has a unique id, a title and a query', () => {
  expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(2);
  for (const { panels } of dashboards) {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { type, title, targets = [] } of panels) {
      expect([title, title.length > 2, type === 'row' || targets.length > 0]).toEqual([title, true, true]);
    }
  }
});
