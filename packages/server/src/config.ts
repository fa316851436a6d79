/** The configuration of the service, read from the environment and checked. */
import { isIP } from 'node:net';
import { connectionsBesidePool } from './base/pg/index.ts';
import { readDatabaseUrl } from './database-url.ts';
import {
  ConfigError,
  type Environment,
  readCertificates,
  readDataDir,
  readEnvironment,
  readRedisUrl,
  readUrl,
  refuseLonePercent,
} from './environment.ts';

export { ConfigError } from './environment.ts';

/** How mail is sent: by SMTP, or written as files into a directory (the demo). */
export type MailConfig =
  | { readonly kind: 'smtp'; readonly url: string; readonly from: string; readonly ca: string | null }
  | { readonly kind: 'outbox'; readonly dir: string };

/** Where people report weaknesses, for `/.well-known/security.txt`. */
export interface SecurityContact {
  /** Addresses such as `mailto:security@example.com`, the preferred one first. */
  readonly contacts: readonly string[];
  /** The address of the policy for reports; null without one. */
  readonly policy: string | null;
}

/** The configuration. It is read once and frozen. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** The port of health checks and metrics. Null: they have no separate listener. */
  readonly ops_port: number | null;
  /** Origin and path prefix of all links, whatever `Host` says, without a trailing slash (R-001, H-23). */
  readonly public_url: string;
  /** Only the path prefix: '' or '/pay'. All routes are below it. */
  readonly base_path: string;
  /** Whether the public address is a loopback address, which only this machine reaches. */
  readonly is_local: boolean;
  /** Null: the embedded PostgreSQL in `data_dir` is used. */
  readonly database_url: string | null;
  /** Maximum number of connections of this process to PostgreSQL, all together. */
  readonly db_pool: number;
  readonly redis_url: string | null;
  /** 32 bytes each. The first is current; the others only open what they sealed earlier. Empty: none configured. */
  readonly secret_keys: readonly Buffer[];
  readonly admin_key: string | null;
  /** Whether a session of platform staff without a second factor can only set one up. */
  readonly staff_factor_required: boolean;
  readonly test_clock: boolean;
  /** Private address ranges that notifications may go to, for receivers on this machine (D-141). */
  readonly notify_allow_cidrs: readonly string[];
  /** PEM certificates that are trusted for notifications, in addition to the system's. */
  readonly notify_ca: string | null;
  /** The address of the file or service outside that keeps the heads of the seals. Null: none does. */
  readonly seal_sink: string | null;
  /** The address of the file or service outside that the audit trail is streamed to. Null: none. */
  readonly audit_sink: string | null;
  /** PEM certificates that are trusted for it, in addition to the usual ones. */
  readonly audit_sink_ca: string | null;
  /** The address of the file or service outside that takes each notification before it is sent. Null: none. */
  readonly notification_archive: string | null;
  readonly trusted_proxies: readonly string[];
  readonly log_level: string;
  readonly data_dir: string;
  /** Whether `npm start` also starts the demo platform and the card simulator. The ports follow. */
  readonly demo: boolean;
  readonly demo_cardsim_port: number;
  readonly demo_receiver_port: number;
  readonly demo_shop_port: number;
  /** NODE_ENV says so, or the public address is not a loopback address. */
  readonly production: boolean;
  /** How mail is sent. Null: no mail is sent, so people cannot reset passwords by mail. */
  readonly mail: MailConfig | null;
  /** Null: there is no `/.well-known/security.txt`. */
  readonly security: SecurityContact | null;
}

/**
 * Reads the configuration from the environment.
 *
 * @throws ConfigError
 */
export function readConfig(environment: Environment = process.env): Config {
  const env = readEnvironment(environment);
  const host = env.HOST ?? '127.0.0.1';
  const port = readPort('PORT', env.PORT, 8080);
  const { public_url, base_path } = readPublicUrl(env.PAYDESK_PUBLIC_URL ?? `http://127.0.0.1:${port}`);
  const is_local = isLoopback(new URL(public_url).hostname);
  const production = readMode(env.NODE_ENV) === 'production' || !is_local;
  const test_clock = readFlag('PAYDESK_TEST_CLOCK', env.PAYDESK_TEST_CLOCK, false);
  if (test_clock && production) {
    throw new ConfigError(
      'PAYDESK_TEST_CLOCK',
      'must not be set in production: with NODE_ENV=production, or a PAYDESK_PUBLIC_URL that is not a loopback address.',
    );
  }
  return Object.freeze({
    host,
    port,
    ops_port: readOpsPort(env.PAYDESK_OPS_PORT, port),
    public_url,
    base_path,
    is_local,
    database_url: readDatabaseUrl(env.DATABASE_URL),
    db_pool: readPool(env.PAYDESK_DB_POOL),
    redis_url: readRedisUrl(env.REDIS_URL),
    secret_keys: readKeys(env.PAYDESK_SECRET_KEY),
    admin_key: readAdminKey(env.PAYDESK_ADMIN_KEY),
    staff_factor_required: readSecondFactor(env.PAYDESK_ADMIN_SECOND_FACTOR, is_local),
    test_clock,
    notify_allow_cidrs: readCidrs('PAYDESK_NOTIFY_ALLOW_CIDRS', env.PAYDESK_NOTIFY_ALLOW_CIDRS),
    // A file without a certificate, or with a broken one, ends the start (D-637).
    notify_ca: readCertificates('PAYDESK_NOTIFY_CA_FILE', env.PAYDESK_NOTIFY_CA_FILE),
    seal_sink: readSink('PAYDESK_SEAL_SINK', env.PAYDESK_SEAL_SINK),
    audit_sink: readAuditSink(env.PAYDESK_AUDIT_SINK),
    audit_sink_ca: readCertificates('PAYDESK_AUDIT_SINK_CA_FILE', env.PAYDESK_AUDIT_SINK_CA_FILE),
    notification_archive: readSink('PAYDESK_NOTIFICATION_ARCHIVE', env.PAYDESK_NOTIFICATION_ARCHIVE),
    trusted_proxies: readCidrs('PAYDESK_TRUSTED_PROXIES', env.PAYDESK_TRUSTED_PROXIES),
    log_level: readLevel(env.PAYDESK_LOG_LEVEL ?? 'info'),
    data_dir: readDataDir(env.PAYDESK_DATA_DIR),
    demo: readFlag('PAYDESK_DEMO', env.PAYDESK_DEMO, true),
    demo_cardsim_port: readPort('PAYDESK_CARDSIM_PORT', env.PAYDESK_CARDSIM_PORT, 8090),
    demo_receiver_port: readPort('PAYDESK_RECEIVER_PORT', env.PAYDESK_RECEIVER_PORT, 8091),
    demo_shop_port: readPort('PAYDESK_SHOP_PORT', env.PAYDESK_SHOP_PORT, 8092),
    production,
    mail: readMail(env),
    security: readSecurity(env),
  });
}

/** A misspelt "production" would silently leave out what production demands (D-642). */
function readMode(text = 'development'): string {
  if (['production', 'development', 'test'].includes(text)) return text;
  throw new ConfigError('NODE_ENV', `must be production, development or test, not "${text}".`);
}

function readSecondFactor(text: string | undefined, is_local: boolean): boolean {
  if (text === undefined) return !is_local;
  if (text !== 'required' && text !== 'optional') {
    throw new ConfigError('PAYDESK_ADMIN_SECOND_FACTOR', `must be required or optional, not "${text}".`);
  }
  return text === 'required';
}

function readPort(variable: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new ConfigError(variable, `must be a number from 0 to 65535, not "${text}".`);
  }
  return port;
}

function readOpsPort(text: string | undefined, port: number): number | null {
  if (text === undefined) return null;
  const ops_port = readPort('PAYDESK_OPS_PORT', text, 0);
  if (ops_port === port && port !== 0) {
    throw new ConfigError('PAYDESK_OPS_PORT', 'must be another port than PORT.');
  }
  return ops_port;
}

function readPublicUrl(text: string): { public_url: string; base_path: string } {
  const problem = 'must be an absolute http or https address without query or fragment.';
  if (!URL.canParse(text)) throw new ConfigError('PAYDESK_PUBLIC_URL', problem);
  const url = new URL(text);
  if (
    !['http:', 'https:'].includes(url.protocol) ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== '' ||
    url.password !== ''
  ) {
    throw new ConfigError('PAYDESK_PUBLIC_URL', problem);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new ConfigError('PAYDESK_PUBLIC_URL', 'must use https unless its host is a loopback address.');
  }
  const base_path = url.pathname.replace(/\/+$/, '');
  return { public_url: url.origin + base_path, base_path };
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}

/** Reads where lines are kept outside: a file by its absolute path, or an address. */
function readSink(variable: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isFile = url?.protocol === 'file:' && url.host === '' && url.pathname.length > 1;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!isFile && !isSafe) {
    throw new ConfigError(
      variable,
      'must be a file such as file:///var/log/paydesk.jsonl or an https address.',
    );
  }
  refuseLonePercent(variable, text);
  return text;
}

/** Reads where the audit trail is streamed to: as `readSink`, or a syslog server by name and port. */
function readAuditSink(text: string | undefined): string | null {
  if (!text?.startsWith('syslog')) return readSink('PAYDESK_AUDIT_SINK', text);
  const url = URL.canParse(text) ? new URL(text) : null;
  const isServer = url?.protocol === 'syslog+tls:' && url.hostname !== '' && url.pathname.length <= 1;
  if (!isServer || url.search !== '' || url.username !== '') {
    throw new ConfigError('PAYDESK_AUDIT_SINK', 'must name a syslog server as syslog+tls://host:port.');
  }
  return text;
}

/** A transaction of background work, and requests beside it, need this many in the pool. */
const smallestPool = 3;
const usualPool = 20;
const mostConnections = 1_000;

/** Reads how many connections this process may have in total. */
function readPool(text: string | undefined): number {
  if (text === undefined) return usualPool + connectionsBesidePool;
  const least = smallestPool + connectionsBesidePool;
  const total = Number(text);
  if (!/^\d{1,4}$/.test(text) || total < least || total > mostConnections) {
    throw new ConfigError(
      'PAYDESK_DB_POOL',
      `must be a whole number from ${least} to ${mostConnections}, not "${text}".`,
    );
  }
  return total;
}

/** Reads the secret keys. A key with few different bytes is refused, because it is not random. */
function readKeys(text: string | undefined): Buffer[] {
  if (text === undefined) return [];
  return text.split(',').map((part) => {
    const key = Buffer.from(part.trim(), 'base64');
    if (key.length !== 32) {
      throw new ConfigError('PAYDESK_SECRET_KEY', 'must be 32 bytes in base64 ("openssl rand -base64 32").');
    }
    if (new Set(key).size < 8) {
      throw new ConfigError('PAYDESK_SECRET_KEY', 'must be random ("openssl rand -base64 32").');
    }
    return key;
  });
}

function readAdminKey(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (text.length < 16 || new Set(text).size < 5) {
    throw new ConfigError(
      'PAYDESK_ADMIN_KEY',
      'must have at least 16 characters and be hard to guess ("openssl rand -base64 24").',
    );
  }
  return text;
}

/** Reads the SMTP settings. The sender's address is required with them. */
function readMail(env: Environment): MailConfig | null {
  const url = readUrl('PAYDESK_SMTP_URL', env.PAYDESK_SMTP_URL, ['smtp:', 'smtps:']);
  const ca = readCertificates('PAYDESK_SMTP_CA_FILE', env.PAYDESK_SMTP_CA_FILE);
  if (url === null) return null;
  refuseLonePercent('PAYDESK_SMTP_URL', url);
  const from = env.PAYDESK_MAIL_FROM ?? '';
  if (!/^[^@\r\n]*[^@\s]+@[^@\s]+$/.test(from)) {
    throw new ConfigError(
      'PAYDESK_MAIL_FROM',
      'must be the sender address of mail, such as "Paydesk <pay@example.com>".',
    );
  }
  return { kind: 'smtp', url, from, ca };
}

/** Reads where to report weaknesses: addresses with mailto:, https: or tel:, or plain mail addresses. */
function readSecurity(env: Environment): SecurityContact | null {
  const policy = readUrl('PAYDESK_SECURITY_POLICY', env.PAYDESK_SECURITY_POLICY, ['https:']);
  const parts = (env.PAYDESK_SECURITY_CONTACT ?? '').split(',').map((part) => part.trim());
  const contacts = parts
    .filter((part) => part !== '')
    .map((part) => {
      const text = /^[^\s@:/]+@[^\s@]+$/.test(part) ? `mailto:${part}` : part;
      if (/\s/.test(text) || !URL.canParse(text) || !/^(mailto:.+@|https:\/\/|tel:)/.test(text)) {
        throw new ConfigError(
          'PAYDESK_SECURITY_CONTACT',
          `contains "${part}", which is not an address such as mailto:security@example.com or https://example.com/report.`,
        );
      }
      return new URL(text).href;
    });
  if (contacts.length > 0) return { contacts, policy };
  if (policy === null) return null;
  throw new ConfigError('PAYDESK_SECURITY_CONTACT', 'must be set with PAYDESK_SECURITY_POLICY.');
}

function readFlag(variable: string, text: string | undefined, otherwise: boolean): boolean {
  if (text === undefined) return otherwise;
  if (text === '1') return true;
  if (text === '0') return false;
  throw new ConfigError(variable, `must be 1 or 0, not "${text}".`);
}

function readCidrs(variable: string, text: string | undefined): string[] {
  const parts = (text ?? '').split(',').map((part) => part.trim());
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const [address = '', length = part.includes(':') ? '128' : '32', ...more] = part.split('/');
      // Only the usual form: a library reads "10/8" as 0.0.0.10/8, and "010.0.0.0/8" as 8.0.0.0/8.
      const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
      if (more.length > 0 || !/^\d{1,3}$/.test(length) || Number(length) > bits)
        throw new ConfigError(
          variable,
          `contains "${part}", which is not an address range such as 10.0.0.0/8.`,
        );
      return `${address}/${length}`;
    });
}

function readLevel(level: string): string {
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
  if (!levels.includes(level))
    throw new ConfigError('PAYDESK_LOG_LEVEL', `must be one of ${levels.join(', ')}.`);
  return level;
}
