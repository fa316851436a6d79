/** The address of PostgreSQL: one server, or several as libpq writes them, and the parameters after them. */
import { nearestName } from './base/nearest.ts';
import { isDatabaseUrl } from './base/pg/index.ts';
import { ConfigError, readCertificates, readText } from './environment.ts';

const variable = 'DATABASE_URL';

/** Those that the driver knows. It takes any other for `verify-full`. */
const sslModes: readonly string[] = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** Parameters that name a file, which the driver would read only when it connects. */
const fileParameters: readonly string[] = ['sslcert', 'sslkey', 'sslrootcert'];

/** What libpq knows, of which the driver ignores some, and what only the driver knows. */
const parameters: readonly string[] = [
  ...fileParameters,
  'application_name',
  'channel_binding',
  'client_encoding',
  'connect_timeout',
  'dbname',
  'fallback_application_name',
  'gssencmode',
  'host',
  'hostaddr',
  'keepalives',
  'keepalives_count',
  'keepalives_idle',
  'keepalives_interval',
  'krbsrvname',
  'load_balance_hosts',
  'options',
  'passfile',
  'password',
  'port',
  'require_auth',
  'ssl',
  'ssl_max_protocol_version',
  'ssl_min_protocol_version',
  'sslcompression',
  'sslmode',
  'sslnegotiation',
  'sslsni',
  'target_session_attrs',
  'tcp_user_timeout',
  'uselibpqcompat',
  'user',
];

/** Limits that each connection of the service sets by itself. In the address they would also end migrations and checks. */
const ownLimits: readonly string[] = [
  'idle_in_transaction_session_timeout',
  'lock_timeout',
  'query_timeout',
  'statement_timeout',
];

/**
 * Reads the address of PostgreSQL; null without one. A misspelt `sslmode` would silently turn off TLS, so a parameter that
 * neither libpq nor the driver knows is refused (D-681).
 *
 * @throws ConfigError
 */
export function readDatabaseUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^postgres(ql)?:\/\//.test(text) || !isDatabaseUrl(text)) {
    throw new ConfigError(
      variable,
      'must be an address that starts with postgres:// or postgresql://, ' +
        'such as postgres://paydesk@one:5432,two:5432/paydesk?target_session_attrs=read-write, ' +
        'with ports up to 65535 and target_session_attrs read-write, primary or any.',
    );
  }
  for (const [name, value] of new URLSearchParams(text.replace(/^[^?]*/, ''))) readParameter(name, value);
  return text;
}

function readParameter(name: string, value: string): void {
  if (ownLimits.includes(name)) {
    throw new ConfigError(variable, `must not set ${name}: the service sets its own time limits.`);
  }
  if (!parameters.includes(name)) {
    const nearest = nearestName(name, parameters);
    const hint = nearest === null ? '.' : `: did you mean ${nearest}?`;
    throw new ConfigError(variable, `has "${name}", which is no parameter of PostgreSQL${hint}`);
  }
  if (name === 'sslmode' && !sslModes.includes(value)) {
    throw new ConfigError(variable, `must have an sslmode of ${sslModes.join(', ')}, not "${value}".`);
  }
  if (name === 'sslrootcert') readCertificates(`${variable} has ${name}, which`, value);
  else if (fileParameters.includes(name)) readText(`${variable} has ${name}, which`, value);
}
