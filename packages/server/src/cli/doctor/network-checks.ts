/** Checks what the service reaches over the network: Redis, the mail server, the provider, and itself through its proxy. */
import { randomUUID } from 'node:crypto';
import type { Config } from '../../config.ts';
import { checkMailServer } from '../../identity/mail/index.ts';
import { fail, type Finding, ok, reasonOf, warn } from './finding.ts';

const limit_ms = 8_000;

export async function checkRedis(
  { redis_url }: Pick<Config, 'redis_url'>,
  most_ms = limit_ms,
): Promise<Finding[]> {
  if (redis_url === null) return [];
  const { Redis } = await import('ioredis');
  const redis = new Redis(redis_url, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: most_ms,
    // A server that takes the connection and says nothing is no reason to wait for ever.
    socketTimeout: most_ms,
  });
  // `connect` fails with "Connection is closed"; the event before it says why.
  let why: unknown = null;
  redis.on('error', (error) => (why = error));
  const { host } = new URL(redis_url);
  let problem = 'does not answer';
  try {
    await redis.connect();
    await redis.ping();
    problem = 'takes no writes';
    // The service writes there, which a standby refuses (D-1225).
    await redis.set('paydesk:limit:doctor', '', 'EX', 60);
    return [ok('redis', `${host} answers.`)];
  } catch (error) {
    return [
      fail(
        'redis',
        `${host} ${problem}: ${reasonOf(why ?? error)}. Start it, or set REDIS_URL to another one.`,
      ),
    ];
  } finally {
    redis.disconnect();
  }
}

export async function checkMail({ mail }: Config): Promise<Finding[]> {
  if (mail === null) {
    return [
      warn('mail', 'PAYDESK_SMTP_URL is not set: people get no mail; only npm start writes it, to files.'),
    ];
  }
  if (mail.kind === 'outbox') return [ok('mail', `Mail is written to ${mail.dir}.`)];
  const { host } = new URL(mail.url);
  try {
    await checkMailServer(mail);
    return [ok('mail', `${host} accepts mail from ${mail.from}.`)];
  } catch (error) {
    return [fail('mail', `${host} does not accept mail: ${reasonOf(error)}.`)];
  }
}

/** Any answer counts, because only the connection is tested. */
export async function checkProviders(api_bases: readonly string[]): Promise<Finding[]> {
  return Promise.all(
    api_bases.map(async (api_base) => {
      try {
        const { status } = await ask(api_base);
        return ok('provider', `${new URL(api_base).host} answers (HTTP ${status}).`);
      } catch (error) {
        return fail('provider', `${api_base} cannot be reached: ${reasonOf(error)}.`);
      }
    }),
  );
}

const ask = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(limit_ms) });

/** What `/healthz?proxy=1` answers. */
interface Seen {
  status?: string;
  proxy?: { headers: string[]; believed: boolean; client_address: string };
}

/** Asks the service at its public address, through any proxy in front of it. */
export async function checkPublicAddress({ public_url, base_path, is_local }: Config): Promise<Finding[]> {
  const id = randomUUID();
  let answer: Response;
  try {
    answer = await ask(`${public_url}/healthz?proxy=1`, { 'x-request-id': id });
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    const words = `${public_url} cannot be reached from here: ${reasonOf(error)}.`;
    const isTls = /CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code);
    return [
      isTls ? fail('public address', words) : warn('public address', `${words} Is the service running?`),
    ];
  }
  const seen = (await answer.json().catch(() => ({}))) as Seen;
  if (answer.status === 200 && seen.status === 'ok') {
    return [ok('public address', `${public_url} reaches the service.`), ...proxyFindings(seen, is_local)];
  }
  const isOurs = answer.headers.get('x-request-id') === id;
  if (isOurs && answer.status === 404) {
    return [fail('public address', prefixWords(base_path))];
  }
  return [
    fail('public address', `${public_url}/healthz answers HTTP ${answer.status}, not from the service.`),
  ];
}

const prefixWords = (base_path: string): string =>
  base_path === ''
    ? 'The proxy adds a path before the service, which PAYDESK_PUBLIC_URL does not have: add it there, or let the proxy remove it.'
    : `The proxy removes or changes the path ${base_path} of PAYDESK_PUBLIC_URL: let it pass the path on unchanged.`;

function proxyFindings({ proxy }: Seen, is_local: boolean): Finding[] {
  if (proxy === undefined) return [];
  const { headers, believed, client_address } = proxy;
  if (headers.length === 0) {
    const words = 'None were seen: if a proxy is in front, let it set X-Forwarded-For.';
    return [is_local ? ok('proxy headers', 'None were seen.') : warn('proxy headers', words)];
  }
  const words = `${headers.join(', ')} were seen`;
  if (headers.includes('x-forwarded-for') && !believed) {
    return [
      fail(
        'proxy headers',
        `${words}, but X-Forwarded-For is ignored: add the proxy to PAYDESK_TRUSTED_PROXIES.`,
      ),
    ];
  }
  return [ok('proxy headers', `${words}; this machine is seen as ${client_address}.`)];
}
