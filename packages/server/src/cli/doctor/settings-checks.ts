/** Checks the settings alone, without calls to anything else. */
import type { Config } from '../../config.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

export function checkSettings(config: Config): Finding[] {
  const { public_url, production, secret_keys, redis_url, ops_port, trusted_proxies, seal_sink } = config;
  const findings = [
    ok('settings', `Links begin with ${public_url}${production ? '' : ' (not production)'}.`),
  ];
  if (secret_keys.length > 0) findings.push(ok('secret key', `${secret_keys.length} configured.`));
  else if (config.database_url === null && !production) {
    findings.push(warn('secret key', 'PAYDESK_SECRET_KEY is not set: only npm start makes a key itself.'));
  } else findings.push(fail('secret key', 'PAYDESK_SECRET_KEY is not set: serve does not start without it.'));
  if (!production) return findings;
  if (config.database_url === null) {
    findings.push(warn('settings', 'DATABASE_URL is not set: the embedded PostgreSQL is for trying out.'));
  }
  if (redis_url === null) {
    findings.push(warn('settings', 'REDIS_URL is not set: each process counts rate limits for itself.'));
  }
  if (ops_port === null) {
    findings.push(warn('settings', 'PAYDESK_OPS_PORT is not set: metrics are not served.'));
  }
  if (trusted_proxies.length === 0) {
    findings.push(
      warn('settings', 'PAYDESK_TRUSTED_PROXIES is not set: behind a proxy, all clients count as one.'),
    );
  }
  // D-832
  if (trusted_proxies.some((range) => range.endsWith('/0'))) {
    const words =
      'PAYDESK_TRUSTED_PROXIES trusts every address: a caller can say that it comes from another one, and passes limits.';
    findings.push(warn('settings', words));
  }
  if (seal_sink === null) {
    findings.push(
      warn('settings', 'PAYDESK_SEAL_SINK is not set: the heads of the seals are only in the log.'),
    );
  }
  return findings;
}
