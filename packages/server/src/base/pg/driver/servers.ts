import type pg from 'pg';

/** The addresses of DATABASE_URL, and the one that the process connects to. */
export interface Servers {
  readonly count: number;
  /** Whether a connection must be able to write, so that a standby is refused. */
  readonly mustWrite: boolean;
  /** The configuration of the current server. */
  current(): pg.ClientConfig;
  /** Moves on to the next server, unless another caller has done so already. */
  leave(config: pg.ClientConfig): void;
}

/** Whether a text is an address of one or several PostgreSQL servers that Paydesk can use. */
export function isDatabaseUrl(url: string): boolean {
  try {
    return urlsOf(url).urls.every((one) => URL.canParse(one));
  } catch {
    return false;
  }
}

/**
 * Reads an address in the form of libpq: `postgres://user@one:5432,two:5432/paydesk?target_session_attrs=read-write`.
 * With several servers, or if the address asks for `read-write`, only a server that accepts writes is used.
 *
 * Invariant: all connections of a process go to the current server, which is the last one that worked. A server that
 * fails or does not accept writes is given up for the next one, and after the last one comes the first.
 */
export function createServers(url: string): Servers {
  const { urls, mustWrite } = urlsOf(url);
  return serversOf(
    urls.map((connectionString) => ({ connectionString })),
    mustWrite,
  );
}

export const oneServer = (config: pg.ClientConfig): Servers => serversOf([config], false);

function serversOf(configs: readonly pg.ClientConfig[], mustWrite: boolean): Servers {
  let at = 0;
  const current = (): pg.ClientConfig => configs[at] ?? {};
  return {
    count: configs.length,
    mustWrite,
    current,
    leave(config) {
      if (config === current()) at = (at + 1) % configs.length;
    },
  };
}

const attribute = 'target_session_attrs';

function urlsOf(url: string): { urls: string[]; mustWrite: boolean } {
  const [, start = '', hosts = '', path = '', query = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/s.exec(url) ?? [];
  if (start === '') return { urls: [url], mustWrite: false };
  const options = query.split('&').filter((option) => option !== '');
  const others = options.filter((option) => !option.startsWith(`${attribute}=`));
  const wanted = options.find((option) => option.startsWith(`${attribute}=`))?.slice(attribute.length + 1);
  if (wanted !== undefined && !['any', 'read-write', 'primary'].includes(wanted)) {
    throw new Error(`${attribute} must be read-write.`);
  }
  const asked = others.includes('uselibpqcompat=true') ? others : others.map(strictly);
  const rest = path + (asked.length === 0 ? '' : `?${asked.join('&')}`);
  const list = hosts.split(',');
  return {
    urls: list.map((host) => start + host + rest),
    mustWrite: list.length > 1 || (wanted !== undefined && wanted !== 'any'),
  };
}

/** The driver checks the certificate in all these modes, and for a milder name prints a warning about its next version. */
const strictly = (option: string): string =>
  option.replace(/^sslmode=(prefer|require|verify-ca)$/, 'sslmode=verify-full');
