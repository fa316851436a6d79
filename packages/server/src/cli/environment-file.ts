/** The text of a new environment file: every setting with a comment, and fresh keys. */

interface Setting {
  readonly name: string;
  readonly about: readonly string[];
  /** An example, written as a comment. */
  readonly example: string;
}

interface Section {
  readonly title: string;
  readonly settings: readonly Setting[];
}

const setting = (name: string, example: string, ...about: string[]): Setting => ({ name, about, example });

const sections: readonly Section[] = [
  {
    title: 'Addresses',
    settings: [
      setting(
        'PAYDESK_PUBLIC_URL',
        'https://pay.example.com',
        'Origin and path of every link, as buyers see it. HTTPS is needed unless the host is a loopback address.',
        'Without it: http://127.0.0.1:8080, for trying out.',
      ),
      setting('HOST', '127.0.0.1', 'Where the service listens. In a container: 0.0.0.0.'),
      setting('PORT', '8080', 'The port for buyers and clients.'),
      setting(
        'PAYDESK_OPS_PORT',
        '9090',
        'The port for /metrics, /healthz and /readyz. Keep it inside your network.',
      ),
      setting(
        'PAYDESK_TRUSTED_PROXIES',
        '10.0.0.0/8',
        'Address ranges of your proxies, separated by commas. Their X-Forwarded-For is believed.',
      ),
    ],
  },
  {
    title: 'Stores',
    settings: [
      setting(
        'DATABASE_URL',
        'postgres://paydesk_app:secret@db.example.com:5432/paydesk',
        'PostgreSQL 15 or newer; several servers separated by commas for failover.',
        'Without it: an embedded PostgreSQL in the data directory, for trying out.',
      ),
      setting('PAYDESK_DB_POOL', '23', 'Connections of one process to PostgreSQL, all together.'),
      setting(
        'REDIS_URL',
        'redis://redis.example.com:6379',
        'Keeps the rate limits that all processes share. Without it each process counts for itself.',
      ),
      setting('PAYDESK_DATA_DIR', '/var/lib/paydesk', 'The data directory.'),
    ],
  },
  {
    title: 'People and mail',
    settings: [
      setting(
        'PAYDESK_SMTP_URL',
        'smtps://user:secret@mail.example.com',
        'The mail server. Without it no mail is sent.',
      ),
      setting('PAYDESK_MAIL_FROM', 'pay@example.com', 'The sender of mail; needed with PAYDESK_SMTP_URL.'),
      setting(
        'PAYDESK_SMTP_CA_FILE',
        '/etc/paydesk/mail-ca.pem',
        'Further certificates to trust for the mail server.',
      ),
      setting(
        'PAYDESK_ADMIN_SECOND_FACTOR',
        'required',
        'required or optional: whether platform staff need a second factor. On a public address: required.',
      ),
      setting(
        'PAYDESK_SECURITY_CONTACT',
        'security@example.com',
        'Where to report a weakness: the content of /.well-known/security.txt.',
      ),
      setting('PAYDESK_SECURITY_POLICY', 'https://example.com/security', 'The policy for such reports.'),
    ],
  },
  {
    title: 'Records outside the database',
    settings: [
      setting(
        'PAYDESK_SEAL_SINK',
        'https://records.example.com/seals',
        'Keeps the heads of the seals: a file (file:///...) or an address outside the database.',
      ),
      setting(
        'PAYDESK_AUDIT_SINK',
        'syslog+tls://logs.example.com:6514',
        'Takes the audit trail: file:///..., syslog+tls://host:port or https://...',
      ),
      setting(
        'PAYDESK_AUDIT_SINK_CA_FILE',
        '/etc/paydesk/audit-ca.pem',
        'Further certificates to trust for PAYDESK_AUDIT_SINK.',
      ),
      setting(
        'PAYDESK_NOTIFICATION_ARCHIVE',
        'file:///backup/notifications.jsonl',
        'Keeps a line for each notification before it is sent, for a restore: a file or an address (docs/operating/restore.md).',
      ),
      setting('PAYDESK_LOG_LEVEL', 'info', 'trace, debug, info, warn, error, fatal or silent.'),
    ],
  },
  {
    title: 'Notifications to your own network',
    settings: [
      setting(
        'PAYDESK_NOTIFY_ALLOW_CIDRS',
        '10.20.0.0/16',
        'Private address ranges that notifications may go to.',
      ),
      setting(
        'PAYDESK_NOTIFY_CA_FILE',
        '/etc/paydesk/own-ca.pem',
        'Further certificates to trust for receivers.',
      ),
    ],
  },
  {
    title: 'Only for trying out and for development',
    settings: [
      setting('PAYDESK_DEMO', '0', '0: npm start without demo data and simulator.'),
      setting('PAYDESK_CARDSIM_PORT', '8090', 'The port of the card simulator of npm start.'),
      setting('PAYDESK_RECEIVER_PORT', '8091', 'The port of the receiver of npm start.'),
      setting('PAYDESK_SHOP_PORT', '8092', 'The port of the demo shop of npm start.'),
      setting('PAYDESK_NOTIFY_SECRET', 'a-secret', 'The secret with which paydesk listen verifies.'),
      setting('PAYDESK_TEST_CLOCK', '1', 'A clock that tests can move; refused in production.'),
    ],
  },
];

/** The names of all settings that the file has. */
export const settingsInFile: readonly string[] = [
  'PAYDESK_SECRET_KEY',
  'PAYDESK_ADMIN_KEY',
  ...sections.flatMap(({ settings }) => settings.map(({ name }) => name)),
];

/** The text of the file. Only the keys are set; all else is a comment with an example. */
export function environmentFile(keys: { secret_key: string; admin_key: string }): string {
  return [
    '# Settings of Paydesk: for "docker run --env-file", for EnvironmentFile= of systemd, or for a shell:',
    '#     set -a; . ./paydesk.env; set +a; npx paydesk doctor',
    '# Each setting can also be a file: PAYDESK_SECRET_KEY_FILE=/run/secrets/paydesk_secret_key',
    '',
    '# --- Keys ---',
    '',
    '# Encrypts the secrets in the database. Without this key they cannot be read again: keep a copy elsewhere.',
    `PAYDESK_SECRET_KEY=${keys.secret_key}`,
    '',
    '# The bearer key of /admin/v1 for the first steps. Remove it when there are named keys.',
    `PAYDESK_ADMIN_KEY=${keys.admin_key}`,
    ...sections.flatMap(({ title, settings }) => [
      '',
      `# --- ${title} ---`,
      ...settings.flatMap(({ name, about, example }) => [
        '',
        ...about.map((line) => `# ${line}`),
        `#${name}=${example}`,
      ]),
    ]),
    '',
  ].join('\n');
}
