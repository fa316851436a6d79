import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { settings } from './environment.ts';

const key = Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('base64');
const otherKey = Buffer.from(Array.from({ length: 32 }, (_, i) => 255 - i)).toString('base64');

function problem(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'none';
}

test('defaults: loopback, the embedded database, not production', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    public_url: 'http://127.0.0.1:8080',
    base_path: '',
    database_url: null,
    db_pool: 23,
    redis_url: null,
    secret_keys: [],
    admin_key: null,
    staff_factor_required: false,
    test_clock: false,
    notify_allow_cidrs: [],
    notify_ca: null,
    seal_sink: null,
    trusted_proxies: [],
    log_level: 'info',
    demo: true,
    production: false,
  });
});

test.each([
  ['http://127.0.0.1:8080', undefined, false],
  ['http://localhost:8080', 'required', true],
  ['https://pay.example', undefined, true],
  ['https://pay.example', '', true],
  ['https://pay.example', 'optional', false],
] as const)('at %s, PAYDESK_ADMIN_SECOND_FACTOR=%s: required is %s', (public_url, text, required) => {
  const env = {
    PAYDESK_PUBLIC_URL: public_url,
    ...(text === undefined ? {} : { PAYDESK_ADMIN_SECOND_FACTOR: text }),
  };
  expect(readConfig(env).staff_factor_required).toBe(required);
});

test('PAYDESK_ADMIN_SECOND_FACTOR takes no other value', () => {
  expect(problem({ PAYDESK_ADMIN_SECOND_FACTOR: 'no' })).toBe(
    'PAYDESK_ADMIN_SECOND_FACTOR must be required or optional, not "no".',
  );
});

test('PAYDESK_DB_POOL is the total of connections, and its error names the smallest', () => {
  expect(readConfig({ PAYDESK_DB_POOL: '6' }).db_pool).toBe(6);
  expect(problem({ PAYDESK_DB_POOL: '5' })).toBe(
    'PAYDESK_DB_POOL must be a whole number from 6 to 1000, not "5".',
  );
});

test('DATABASE_URL with a host choice that Paydesk does not know: the error names those that it knows', () => {
  expect(problem({ DATABASE_URL: 'postgres://one/books?target_session_attrs=standby' })).toMatch(
    /^DATABASE_URL .*target_session_attrs read-write, primary or any\.$/,
  );
});

test('README.md names every setting', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  expect(settings.filter((name) => !readme.includes(`\`${name}`))).toEqual([]);
});

test('it is frozen', () => {
  expect(Object.isFrozen(readConfig({}))).toBe(true);
});

test('an empty variable counts as not set', () => {
  const names = ['HOST', 'PORT', 'DATABASE_URL', 'REDIS_URL', 'NODE_ENV'].concat(
    ['PUBLIC_URL', 'SECRET_KEY', 'ADMIN_KEY', 'TEST_CLOCK', 'NOTIFY_ALLOW_CIDRS', 'NOTIFY_CA_FILE'].map(
      (n) => `PAYDESK_${n}`,
    ),
    ['TRUSTED_PROXIES', 'LOG_LEVEL', 'DATA_DIR', 'DEMO', 'CARDSIM_PORT', 'RECEIVER_PORT'].map(
      (n) => `PAYDESK_${n}`,
    ),
  );
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}));
});

describe('variables are read', () => {
  test('R-001 the public address keeps its path prefix, without a slash at the end', () => {
    const read = (url: string) => {
      const { public_url, base_path } = readConfig({ PAYDESK_PUBLIC_URL: url });
      return [public_url, base_path];
    };
    expect(read('https://pay.example')).toEqual(['https://pay.example', '']);
    expect(read('https://pay.example/')).toEqual(['https://pay.example', '']);
    expect(read('https://pay.example:8443/a/pay//')).toEqual(['https://pay.example:8443/a/pay', '/a/pay']);
    expect(read('http://localhost:9')).toEqual(['http://localhost:9', '']);
    expect(read('http://127.9.9.9')).toEqual(['http://127.9.9.9', '']);
    expect(read('http://[::1]:1/x')).toEqual(['http://[::1]:1/x', '/x']);
  });

  test('the default address contains the port', () => {
    expect(readConfig({ PORT: '9000' }).public_url).toBe('http://127.0.0.1:9000');
  });

  test('secret keys in their order', () => {
    const { secret_keys } = readConfig({ PAYDESK_SECRET_KEY: `${key}, ${otherKey}` });
    expect(secret_keys.map((bytes) => bytes.toString('base64'))).toEqual([key, otherKey]);
  });

  test('address ranges and single addresses', () => {
    const { trusted_proxies, notify_allow_cidrs } = readConfig({
      PAYDESK_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7, 2001:db8::1,',
      PAYDESK_NOTIFY_ALLOW_CIDRS: 'fd00::/8',
    });
    expect(trusted_proxies).toEqual(['10.0.0.0/8', '192.0.2.7/32', '2001:db8::1/128']);
    expect(notify_allow_cidrs).toEqual(['fd00::/8']);
  });

  test('D-141 a file of certificates is read', () => {
    const dir = mkdtempSync(join(tmpdir(), 'config-'));
    const file = join(dir, 'ca.pem');
    const text = rootCertificates.slice(0, 2).join('\n');
    writeFileSync(file, text);
    expect(readConfig({ PAYDESK_NOTIFY_CA_FILE: file }).notify_ca).toBe(text);
    rmSync(dir, { recursive: true });
  });

  test.each(['PAYDESK_NOTIFY_CA_FILE', 'PAYDESK_AUDIT_SINK_CA_FILE', 'PAYDESK_SMTP_CA_FILE'])(
    'D-637 %s must name a file with certificates that can be read',
    (variable) => {
      const dir = mkdtempSync(join(tmpdir(), 'config-'));
      const file = join(dir, 'ca.pem');
      writeFileSync(file, 'PEM');
      expect(problem({ [variable]: file })).toBe(
        `${variable} names a file without a certificate in PEM form: ${file}.`,
      );
      const older = rootCertificates[0]?.replaceAll(' CERTIFICATE', ' X509 CERTIFICATE') ?? '';
      writeFileSync(file, older);
      expect(() => readConfig({ [variable]: file })).not.toThrow(variable);
      const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
      writeFileSync(file, `${rootCertificates[0]}\n${broken}`);
      expect(problem({ [variable]: file })).toBe(
        `${variable} names a file with a broken certificate: ${file}.`,
      );
      rmSync(dir, { recursive: true });
    },
  );

  test.each(['file:///var/log/audit.jsonl', 'https://sink.example/audit', 'syslog+tls://logs.example:6514'])(
    'a sink of the audit trail: %s',
    (address) => {
      expect(readConfig({ PAYDESK_AUDIT_SINK: address }).audit_sink).toBe(address);
    },
  );

  test.each(['file:///var/log/seals.jsonl', 'https://sink.example/heads', 'http://127.0.0.1:9/heads'])(
    'a sink of seals: %s',
    (address) => {
      expect(readConfig({ PAYDESK_SEAL_SINK: address }).seal_sink).toBe(address);
    },
  );
});

describe('variables together decide', () => {
  test('D-114 the test clock outside production', () => {
    expect(readConfig({ PAYDESK_TEST_CLOCK: '1' }).test_clock).toBe(true);
    expect(readConfig({ PAYDESK_TEST_CLOCK: '0', NODE_ENV: 'production' }).test_clock).toBe(false);
    expect(readConfig({ PAYDESK_TEST_CLOCK: '1', PAYDESK_PUBLIC_URL: 'http://localhost:9' }).test_clock).toBe(
      true,
    );
  });

  test('a public address that is not loopback means production', () => {
    expect(readConfig({ PAYDESK_PUBLIC_URL: 'https://pay.example' }).production).toBe(true);
    expect(readConfig({ PAYDESK_PUBLIC_URL: 'https://localhost' }).production).toBe(false);
    expect(readConfig({ NODE_ENV: 'production' }).production).toBe(true);
  });

  test('a setting may come from a file, without the line break at its end', () => {
    const dir = mkdtempSync(join(tmpdir(), 'config-'));
    const file = join(dir, 'url');
    writeFileSync(file, 'postgres://u:p@h/db\n');
    expect(readConfig({ DATABASE_URL_FILE: file }).database_url).toBe('postgres://u:p@h/db');
    expect(problem({ DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://h/db' })).toBe(
      'DATABASE_URL and DATABASE_URL_FILE must not both be set.',
    );
    rmSync(dir, { recursive: true });
  });

  test('only one line break at the end of a file is removed, and an empty file is no value', () => {
    const dir = mkdtempSync(join(tmpdir(), 'config-'));
    const file = join(dir, 'value');
    const read = (content: string): string | null => {
      writeFileSync(file, content);
      return readConfig({ PAYDESK_ADMIN_KEY_FILE: file }).admin_key;
    };
    expect(read('a key with a space at its end \r\n')).toBe('a key with a space at its end ');
    expect(read('a key with two line breaks\n\n')).toBe('a key with two line breaks\n');
    expect(() => read('\n')).toThrow(`PAYDESK_ADMIN_KEY_FILE names a file that is empty: ${file}.`);
    rmSync(dir, { recursive: true });
  });

  test('a file that cannot be read is one line that says why', () => {
    const at = (path: string) => problem({ REDIS_URL_FILE: path });
    expect(at('/nowhere/at/all')).toBe('REDIS_URL_FILE names a file that does not exist: /nowhere/at/all.');
    expect(at('/')).toBe('REDIS_URL_FILE names a file that is a directory: /.');
  });

  test('what Kubernetes adds for a service named paydesk is no misspelt setting', () => {
    const added = {
      PAYDESK_SERVICE_HOST: '10.0.0.1',
      PAYDESK_SERVICE_PORT: '8080',
      PAYDESK_SERVICE_PORT_HTTP: '8080',
      PAYDESK_PORT: 'tcp://10.0.0.1:8080',
      PAYDESK_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
      PAYDESK_PORT_8080_TCP_ADDR: '10.0.0.1',
      PAYDESK_WEB_PORT: 'tcp://10.0.0.2:80',
    };
    expect(readConfig(added)).toEqual(readConfig({}));
  });
});

test('D-374 the variables of the SDK may stand beside the settings; one of them alone is refused', () => {
  const all = { PAYDESK_URL: 'http://127.0.0.1:8080', PAYDESK_CLIENT_ID: 'cl_1', PAYDESK_CLIENT_SECRET: 's' };
  expect(readConfig(all)).toEqual(readConfig({}));
  const endpoint = { PAYDESK_TOKEN_ENDPOINT: 'http://127.0.0.1:8080/oauth/token' };
  expect(readConfig({ ...all, ...endpoint })).toEqual(readConfig({}));
  expect(problem(endpoint)).toMatch(/^PAYDESK_TOKEN_ENDPOINT is not a setting of Paydesk/);
  expect(problem({ PAYDESK_URL: all.PAYDESK_URL })).toMatch(/^PAYDESK_URL is not a setting of Paydesk/);
});

describe('an unknown setting is named, with the one that was meant', () => {
  test.each([
    ['PAYDESK_PUBLICURL', 'PAYDESK_PUBLICURL is not a setting of Paydesk: did you mean PAYDESK_PUBLIC_URL?'],
    [
      'PAYDESK_TRUSTED_PROXY',
      'PAYDESK_TRUSTED_PROXY is not a setting of Paydesk: did you mean PAYDESK_TRUSTED_PROXIES?',
    ],
    [
      'PAYDESK_ADMIN_KEYFILE',
      'PAYDESK_ADMIN_KEYFILE is not a setting of Paydesk: did you mean PAYDESK_ADMIN_KEY_FILE?',
    ],
    [
      'PAYDESK_ADMINKEY_FILE',
      'PAYDESK_ADMINKEY_FILE is not a setting of Paydesk: did you mean PAYDESK_ADMIN_KEY_FILE?',
    ],
    ['PAYDESK_DATABASE_URL', 'PAYDESK_DATABASE_URL is not a setting of Paydesk: did you mean DATABASE_URL?'],
    ['PAYDESK_WHATEVER', 'PAYDESK_WHATEVER is not a setting of Paydesk.'],
  ])('%s', (name, sentence) => {
    expect(problem({ [name]: 'x' })).toBe(sentence);
  });
});

describe('an error is one sentence that begins with the variable', () => {
  test.each<[variable: string, value: string, also?: Record<string, string>]>([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', ' 80'],
    ['PAYDESK_CARDSIM_PORT', 'x'],
    ['PAYDESK_RECEIVER_PORT', '100000'],
    ['PAYDESK_PUBLIC_URL', 'pay.example'],
    ['PAYDESK_PUBLIC_URL', '/pay'],
    ['PAYDESK_PUBLIC_URL', 'ftp://pay.example'],
    ['PAYDESK_PUBLIC_URL', 'https://pay.example/?a=1'],
    ['PAYDESK_PUBLIC_URL', 'https://pay.example/#a'],
    ['PAYDESK_PUBLIC_URL', 'https://user@pay.example/'],
    ['PAYDESK_PUBLIC_URL', 'https://:secret@pay.example/'],
    ['PAYDESK_PUBLIC_URL', 'http://pay.example'],
    ['PAYDESK_PUBLIC_URL', 'http://10.0.0.1'],
    ['PAYDESK_PUBLIC_URL', 'http://127.0.0.1.example'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['PAYDESK_DB_POOL', '5'],
    ['PAYDESK_DB_POOL', '1001'],
    ['PAYDESK_DB_POOL', '6.5'],
    ['REDIS_URL', 'http://localhost'],
    ['PAYDESK_SECRET_KEY', 'short'],
    ['PAYDESK_SECRET_KEY', Buffer.alloc(31, 7).toString('base64')],
    ['PAYDESK_SECRET_KEY', Buffer.alloc(32).toString('base64')],
    ['PAYDESK_SECRET_KEY', Buffer.alloc(32, 7).toString('base64')],
    ['PAYDESK_SECRET_KEY', `${key},`],
    ['PAYDESK_ADMIN_KEY', 'a'],
    ['PAYDESK_ADMIN_KEY', 'fifteen letters'],
    ['PAYDESK_ADMIN_KEY', 'aaaaaaaaaaaaaaaaaaaaaaaa'],
    ['PAYDESK_ADMIN_KEY_FILE', '/nowhere/at/all'],
    ['PAYDESK_PUBLICURL', 'https://pay.example'],
    ['PAYDESK_PORT', '8080'],
    ['PAYDESK_WHATEVER', '1'],
    ['PAYDESK_TEST_CLOCK', 'yes'],
    ['PAYDESK_TEST_CLOCK', '1', { NODE_ENV: 'production' }],
    ['PAYDESK_TEST_CLOCK', '1', { PAYDESK_PUBLIC_URL: 'https://pay.example' }],
    ['PAYDESK_TEST_CLOCK', '1', { PAYDESK_PUBLIC_URL: 'https://pay.example', NODE_ENV: 'development' }],
    ['PAYDESK_DEMO', 'false'],
    ['PAYDESK_NOTIFY_ALLOW_CIDRS', '10.0.0.0/33'],
    ['PAYDESK_NOTIFY_ALLOW_CIDRS', 'localhost'],
    ['PAYDESK_NOTIFY_CA_FILE', '/nowhere/at/all.pem'],
    ['PAYDESK_TRUSTED_PROXIES', '10.0.0.0/8,proxy'],
    ['PAYDESK_SEAL_SINK', '/var/log/seals'],
    ['PAYDESK_NOTIFICATION_ARCHIVE', '/var/log/notifications'],
    ['PAYDESK_SEAL_SINK', 'file://host/seals'],
    ['PAYDESK_SEAL_SINK', 'http://sink.example/heads'],
    ['PAYDESK_AUDIT_SINK', 'syslog://logs.example:514'],
    ['PAYDESK_AUDIT_SINK', 'http://sink.example/audit'],
    ['PAYDESK_LOG_LEVEL', 'loud'],
  ])('%s=%s', (variable, value, also = {}) => {
    const message = problem({ ...also, [variable]: value });
    expect(message.startsWith(`${variable} `)).toBe(true);
    expect(message).toMatch(/[.?]$/);
    expect(message).not.toMatch(/[.!?]\s|\n/);
  });

  test.each(['10/8', '10.1/16', '010.0.0.0/8', '0x0a.0.0.0/8', '10.0.0.0/8/8', '10.0.0.0/', '::/129', '/8'])(
    'D-781 the address range %s is refused',
    (range) => {
      expect(problem({ PAYDESK_TRUSTED_PROXIES: `127.0.0.1,${range}` })).toContain(`contains "${range}"`);
    },
  );

  test('R-383 an error does not contain a secret', () => {
    const secrets = {
      PAYDESK_SECRET_KEY: 'c2VjcmV0',
      PAYDESK_ADMIN_KEY: 'topsecret',
      DATABASE_URL: 'mysql://u:topsecret@h/x',
      REDIS_URL: 'http://u:topsecret@h',
    };
    for (const [variable, value] of Object.entries(secrets)) {
      expect(problem({ [variable]: value })).not.toMatch(/c2VjcmV0|topsecret/);
    }
  });
});
