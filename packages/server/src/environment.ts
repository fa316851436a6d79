/** The environment variables: which names exist, values that come from files, addresses, and names that are refused. */
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nearestName } from './base/nearest.ts';

/** An environment, as `process.env` is one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable is invalid. The message is one sentence that begins with the variable's name. */
export class ConfigError extends Error {
  constructor(variable: string, problem: string) {
    super(`${variable} ${problem}`);
    this.name = 'ConfigError';
  }
}

/** The settings. Each may also be given as `NAME_FILE`, the path of a file that contains the value. */
export const settings: readonly string[] = [
  'HOST',
  'PORT',
  'DATABASE_URL',
  'REDIS_URL',
  'PAYDESK_ADMIN_KEY',
  'PAYDESK_ADMIN_SECOND_FACTOR',
  'PAYDESK_AUDIT_SINK',
  'PAYDESK_AUDIT_SINK_CA_FILE',
  'PAYDESK_CARDSIM_PORT',
  'PAYDESK_DATA_DIR',
  'PAYDESK_DB_POOL',
  'PAYDESK_DEMO',
  'PAYDESK_LOG_LEVEL',
  'PAYDESK_MAIL_FROM',
  'PAYDESK_NOTIFICATION_ARCHIVE',
  'PAYDESK_NOTIFY_ALLOW_CIDRS',
  'PAYDESK_NOTIFY_CA_FILE',
  'PAYDESK_NOTIFY_SECRET',
  'PAYDESK_OPS_PORT',
  'PAYDESK_PUBLIC_URL',
  'PAYDESK_RECEIVER_PORT',
  'PAYDESK_SEAL_SINK',
  'PAYDESK_SECRET_KEY',
  'PAYDESK_SECURITY_CONTACT',
  'PAYDESK_SECURITY_POLICY',
  'PAYDESK_SHOP_PORT',
  'PAYDESK_SMTP_CA_FILE',
  'PAYDESK_SMTP_URL',
  'PAYDESK_TEST_CLOCK',
  'PAYDESK_TRUSTED_PROXIES',
];

/** Read by the tests and by the scripts of the repository, not by the service. */
const ofDevelopment = [
  'PAYDESK_CHECKOUT_PRODUCT',
  'PAYDESK_CHROMIUM',
  'PAYDESK_CITUS_KILL',
  'PAYDESK_CITUS_START',
  'PAYDESK_EVERY_LOOK',
  'PAYDESK_EVERY_SERVER',
  'PAYDESK_LONG_LIST',
  'PAYDESK_PGBOUNCER',
  'PAYDESK_PG_BIN',
  'PAYDESK_PICTURES',
  'PAYDESK_PROPERTY_SEED',
  'PAYDESK_SHOP',
  'PAYDESK_SHOP_HOME',
  'PAYDESK_STRIPPED',
];

/**
 * What the SDK and shops read, together: a developer's shell may have them. Alone, an address is a misspelt setting
 * (D-374).
 */
const ofShops = ['PAYDESK_CLIENT_ID', 'PAYDESK_CLIENT_SECRET', 'PAYDESK_URL'];
/** Beside these, where the token endpoint is elsewhere. */
const besideShops = 'PAYDESK_TOKEN_ENDPOINT';

const known = new Set([...settings, ...ofDevelopment, ...settings.map((name) => `${name}_FILE`)]);

/**
 * A variable of OpenTelemetry that is given as a file, such as OTEL_EXPORTER_OTLP_HEADERS_FILE with the collector's
 * key. What ends with CERTIFICATE, KEY or CONFIG is the path of a file already.
 */
const openTelemetryFile = /^(OTEL_\w+(?<!CERTIFICATE|KEY|CONFIG))_FILE$/;

/** Kubernetes adds these to every container beside a service whose name begins with "paydesk". */
const ofKubernetes = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/;

/**
 * The settings of this environment. A variable with an empty value counts as not set, because Docker and systemd pass
 * omitted variables as empty.
 *
 * @throws ConfigError for a name that begins with PAYDESK_ and is not a setting, so that a misspelt one is noticed; for a
 *   file that is empty or cannot be read; for a setting that is given both directly and as a file
 */
export function readEnvironment(environment: Environment): Environment {
  const given = Object.entries(environment).filter(([, text]) => text !== undefined && text !== '');
  const names = new Set(given.map(([name]) => name));
  const isShop = ofShops.every((name) => names.has(name));
  for (const [name, text = ''] of given) {
    if (!isShop || ![...ofShops, besideShops].includes(name)) refuseUnknown(name, text);
  }
  const env = Object.fromEntries(given);
  const ofTracing = given.flatMap(([name]) => openTelemetryFile.exec(name)?.[1] ?? []);
  for (const name of [...settings, ...ofTracing]) {
    const path = env[`${name}_FILE`];
    if (path === undefined) continue;
    if (env[name] !== undefined) throw new ConfigError(name, `and ${name}_FILE must not both be set.`);
    // Editors and `echo` end the last line; any other white space may belong to the value.
    const text = readText(`${name}_FILE`, path).replace(/\r?\n$/, '');
    if (text === '') throw new ConfigError(`${name}_FILE`, `names a file that is empty: ${path}.`);
    env[name] = text;
  }
  return env;
}

/**
 * The content of the file that this variable names.
 *
 * @throws ConfigError
 */
export function readText(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const why = causes[(error as NodeJS.ErrnoException).code ?? ''] ?? 'cannot be read';
    throw new ConfigError(variable, `names a file that ${why}: ${path}.`);
  }
}

/**
 * The content of a file of certificates, in PEM form; null without a path. Node.js takes a file without one silently, and
 * connections fail later (D-637).
 *
 * @throws ConfigError
 */
export function readCertificates(variable: string, path: string | undefined): string | null {
  if (path === undefined) return null;
  const text = readText(variable, path);
  if (!/-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(text)) {
    throw new ConfigError(variable, `names a file without a certificate in PEM form: ${path}.`);
  }
  try {
    // OpenSSL also reads the other two forms, which are rare.
    for (const [certificate] of text.matchAll(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs))
      new X509Certificate(certificate);
  } catch {
    throw new ConfigError(variable, `names a file with a broken certificate: ${path}.`);
  }
  return text;
}

/** Reads an address of one of these protocols; null without one. @throws ConfigError */
export function readUrl(variable: string, text: string | undefined, protocols: string[]): string | null {
  if (text === undefined) return null;
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new ConfigError(variable, `must be an address that starts with ${protocols.join('// or ')}//.`);
  }
  return text;
}

/**
 * Name, password and the path of a file are decoded when they are used. An error then names no variable (D-1209).
 *
 * @throws ConfigError
 */
export function refuseLonePercent(variable: string, text: string): void {
  const { protocol, username, password, pathname } = new URL(text);
  try {
    decodeURIComponent(username + password + (protocol === 'file:' ? pathname : ''));
  } catch {
    throw new ConfigError(variable, 'has a "%" that encodes no character: write it as %25.');
  }
}

/** Reads the address of Redis. Its driver would notice only later that a database is not a number (D-642). */
export function readRedisUrl(text: string | undefined): string | null {
  const url = readUrl('REDIS_URL', text, ['redis:', 'rediss:']);
  const path = url === null ? '' : new URL(url).pathname;
  if (url !== null) refuseLonePercent('REDIS_URL', url);
  if (/^\/?$|^\/\d{1,5}$/.test(path)) return url;
  throw new ConfigError(
    'REDIS_URL',
    `must end with the number of a database, such as redis://localhost:6379/0, not "${path}".`,
  );
}

/** The data directory. It need not exist yet; with DATABASE_URL nothing else would notice that it is a file (D-681). */
export function readDataDir(path: string | undefined): string {
  if (path === undefined) return process.getuid?.() === 0 ? '/var/lib/paydesk' : join(process.cwd(), 'data');
  const at = resolve(path);
  const refuse = (why: string): never => {
    throw new ConfigError(
      'PAYDESK_DATA_DIR',
      `must be a directory that this user may write, not ${at} (${why}).`,
    );
  };
  let isDirectory: boolean | undefined;
  try {
    isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  } catch (error) {
    // Such as EACCES. Any other error would end doctor here (D-1476).
    refuse((error as NodeJS.ErrnoException).code ?? '');
  }
  return isDirectory === false ? refuse(`${at} is a file`) : path;
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'this user may not read',
  EISDIR: 'is a directory',
};

function refuseUnknown(name: string, text: string): void {
  if (!name.startsWith('PAYDESK_') || known.has(name)) return;
  const byKubernetes = ofKubernetes.test(name) && (name !== 'PAYDESK_PORT' || text.includes('://'));
  if (byKubernetes) return;
  const files = name.endsWith('FILE') ? settings.map((setting) => `${setting}_FILE`) : [];
  const nearest = nearestName(name, [...settings, ...files]);
  const hint = nearest === null ? '.' : `: did you mean ${nearest}?`;
  throw new ConfigError(name, `is not a setting of Paydesk${hint}`);
}
