import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { filesOf, readRepository, repository } from '../support/rules/deployment.ts';

/** The units of deploy/systemd. */

const folder = ['deploy', 'systemd'];
const services = ['paydesk-migrate.service', 'paydesk-web@.service', 'paydesk-worker.service'];

/** The settings of a unit, by name; a name may stand there several times. */
function readUnit(name: string): Map<string, string[]> {
  const unit = new Map<string, string[]>();
  for (const line of readRepository(...folder, name).split('\n')) {
    const [, key, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined) unit.set(key, [...(unit.get(key) ?? []), value]);
  }
  return unit;
}

function temporary(): string {
  const dir = mkdtempSync(join(tmpdir(), 'paydesk-systemd-'));
  onTestFinished(() => {
    rmSync(dir, { recursive: true });
  });
  return dir;
}

test('there are a template for web processes, a worker, the migration and a target of all', () => {
  expect(filesOf(...folder)).toEqual([...services, 'paydesk.env', 'paydesk.target', 'sysusers.conf'].sort());
});

test('systemd takes the units, and calls each of them hardened', ({ skip }) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) skip('systemd-analyze is not here');
  const dir = temporary();
  // The units name where operators install Paydesk and Node.js. Here both may be elsewhere.
  for (const name of [...services, 'paydesk.target']) {
    const text = readRepository(...folder, name).replaceAll('/usr/bin/node', process.execPath);
    writeFileSync(join(dir, name.replace('@.', '@8080.')), text);
  }
  const units = services.map((name) => join(dir, name.replace('@.', '@8080.')));
  const analyze = (...args: string[]): { status: number | null; output: string } => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    return { status, output: `${stdout}${stderr}` };
  };
  expect(analyze('verify', '--man=no', ...units, join(dir, 'paydesk.target'))).toEqual({
    status: 0,
    output: '',
  });
  for (const unit of units) {
    // From 0, the best, to 10, in tenths here.
    const { status, output } = analyze('security', '--offline=yes', '--threshold=20', '--no-pager', unit);
    expect([status, /Overall exposure level .*/.exec(output)?.[0]]).toEqual([
      0,
      expect.stringContaining('OK'),
    ]);
  }
});

test('the processes stop within their time, are not root, and never migrate', () => {
  for (const name of services) {
    const unit = readUnit(name);
    expect(unit.get('User')).toEqual(['paydesk']);
    for (const line of unit.get('ExecStart') ?? []) {
      const [, program = '', command] = /^\/usr\/bin\/node (\S+) (.+)$/.exec(line) ?? [];
      expect(existsSync(join(repository, program))).toBe(true);
      expect(command).toMatch(/^(serve --role (web|worker) --no-migrate|migrate|grant-role paydesk_app)$/);
    }
    if (name === 'paydesk-migrate.service') continue;
    expect(unit.get('TimeoutStopSec')).toEqual(['15']);
    // With "Requires", a restart of the migration would stop the processes.
    expect([unit.get('Requires'), unit.get('Wants')]).toEqual([
      undefined,
      expect.arrayContaining(['paydesk-migrate.service']),
    ]);
  }
});

test('the service takes the settings; every secret is a credential of its unit', () => {
  const dir = temporary();
  cpSync(join(repository, ...folder, 'paydesk.env'), join(dir, 'paydesk.env'));
  const lines = readRepository(...folder, 'paydesk.env').split('\n');
  const shared = lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2));
  const values: Record<string, string> = {
    database_url: 'postgres://paydesk_app:secret@db/paydesk',
    owner_database_url: 'postgres://paydesk_owner:secret@db/paydesk',
    secret_key: 'B6kbjSGnRzOiNpQm5yqMl3xsVHqZ2zX1pWw9u8Yd4Ec=',
    admin_key: 'a-key-of-more-than-sixteen-characters',
  };
  for (const name of services) {
    const unit = readUnit(name);
    const credentials = (unit.get('LoadCredential') ?? []).map((line) => line.split(':'));
    for (const [credential = '', path] of credentials) {
      expect(path).toBe(`/etc/paydesk/secrets/${credential}`);
      writeFileSync(join(dir, credential), `${values[credential] ?? ''}\n`);
    }
    const own = (unit.get('Environment') ?? [])
      .flatMap((line) => line.split(' '))
      .map((assignment) => assignment.replace('%d', dir).replace('%i', '8080').split('='));
    const files = own.filter(([variable = '']) => variable.endsWith('_FILE')).map(([, path = '']) => path);
    expect(files).toEqual(credentials.map(([credential = '']) => join(dir, credential)));
    // For systemd a file of settings comes after those of the unit.
    const env = [...own, ...(unit.has('EnvironmentFile') ? shared : [])];
    const config = readConfig(Object.fromEntries(env) as Record<string, string>);
    expect(config.database_url).toMatch(/^postgres:/);
    if (name.includes('@')) expect([config.port, config.ops_port]).toEqual([8080, 18_080]);
  }
});

test('D-1464 the processes of the target, also the worker, listen on different ports', () => {
  expect(readRepository(...folder, 'paydesk.env')).not.toMatch(/^(HOST|PORT|PAYDESK_OPS_PORT)=/m);
  const ports = (readUnit('paydesk.target').get('Wants') ?? [])
    .flatMap((line) => line.split(' '))
    .flatMap((instance) => {
      const [, name, port = '', end] = /^([\w-]+)@?(\d*)(\.service)$/.exec(instance) ?? [];
      const unit = readUnit(`${name}${port === '' ? '' : '@'}${end}`);
      const lines = (unit.get('Environment') ?? []).flatMap((line) => line.split(' '));
      const { PORT, PAYDESK_OPS_PORT } = Object.fromEntries(
        lines.map((assignment) => assignment.replace('%i', port).split('=')),
      ) as Record<string, string>;
      const config = readConfig({ PORT, PAYDESK_OPS_PORT });
      return [config.port, config.ops_port];
    });
  expect(ports).toEqual([8080, 18_080, 8081, 18_081, 9080, 19_090]);
});
