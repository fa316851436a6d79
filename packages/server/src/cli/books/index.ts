/** Commands that check the books, and export them for others to check. */
import type { CommandContext } from '../shared/command.ts';
import type { Usage } from '../shared/usage.ts';

export { rebuildSums } from './rebuild-sums.ts';

interface Checking {
  readonly usage: Usage;
  readonly load: () => Promise<(context: CommandContext) => number | Promise<number>>;
}

export const checking: readonly Checking[] = [
  {
    usage: {
      name: 'verify-ledger',
      about: 'check that the books balance',
      description: [
        'Checks all records about money in one snapshot of the database, and prints each finding as a sentence. It can run while the service runs.',
      ],
      options: [
        { name: 'since-last', about: 'check only what is new since the last check, and what that touches' },
      ],
      exits: { 0: 'the books balance', 1: 'there are findings, or the check could not run' },
      example: ['paydesk verify-ledger --since-last'],
    },
    load: async () => (await import('./verify-ledger.ts')).verifyLedgerCommand,
  },
  {
    usage: {
      name: 'verify-audit',
      about: 'check that no entry of the audit trail was changed or removed',
      description: [
        'Checks the audit trail against its seals and the sinks outside, and names each entry that was changed, removed or added past the service.',
      ],
      exits: { 0: 'the audit trail is intact', 1: 'there are findings, or the check could not run' },
      example: ['paydesk verify-audit'],
    },
    load: async () => (await import('./verify-audit.ts')).verifyAuditCommand,
  },
  {
    usage: {
      name: 'trial-balance',
      about: 'add up all accounts in a span of time, to close a month (docs/month-end.md)',
      description: [
        'Prints CSV: a row for each account with opening balance, debits, credits and closing balance, and a row for each kind of transfer between two accounts with its sum. Orders, withdrawals, cases and people are added up together, tests apart. All is of one snapshot. It reads all transfers once, and can run while the service runs.',
        'A time is such as 2026-11-01 (UTC), 2026-11-01T00:00:00+01:00, or a while ago such as 90m, 26h or 2d.',
      ],
      options: [
        { name: 'since', value: 'TIME', about: 'the beginning of the span', required: true },
        {
          name: 'until',
          value: 'TIME',
          about: 'the end of the span, which does not belong to it',
          otherwise: 'now',
        },
        { name: 'by-merchant', about: 'add up each merchant’s book, and the platform’s own, by itself' },
      ],
      exits: { 0: 'it is printed', 1: 'it could not be made' },
      example: ['paydesk trial-balance --since 2026-11-01 --until 2026-12-01 > november.csv'],
    },
    load: async () => (await import('./trial-balance.ts')).trialBalanceCommand,
  },
  {
    usage: {
      name: 'export-books',
      about: 'write the books with their seals, for others to verify',
      description: [
        'Writes all sealed facts with their seals as JSON lines, from one snapshot. Only its owner may read the file.',
      ],
      options: [
        { name: 'out', value: 'FILE', about: 'the file to write', required: true },
        { name: 'public-key-out', value: 'PEM', about: 'also write the public key that verifies the file' },
      ],
      exits: { 0: 'the file is complete', 1: 'nothing was sealed yet, or the file could not be written' },
      example: ['paydesk export-books --out books.jsonl --public-key-out paydesk-seals.pem'],
    },
    load: async () => (await import('./export-books.ts')).exportBooksCommand,
  },
  {
    usage: {
      name: 'verify-export',
      about: 'verify exported books without database or secret',
      description: [
        'Verifies a file of export-books with a public key alone, and prints each wrong row. It needs neither database nor settings.',
      ],
      argument: { name: 'FILE', about: 'the file of export-books, or one file of the archive (.jsonl.gz)' },
      options: [
        { name: 'public-key', value: 'PEM', about: 'the public key of the seals', required: true },
        { name: 'heads', value: 'FILE', about: 'the heads of the seals that were kept outside' },
        {
          name: 'archive',
          value: 'DIR',
          about: 'the folder of the archive, which has the rows that have left',
        },
      ],
      exits: { 0: 'the export is whole', 1: 'a row is wrong, or a file cannot be read' },
      example: ['paydesk verify-export books.jsonl --public-key paydesk-seals.pem'],
    },
    load: async () => (await import('./verify-export.ts')).verifyExportCommand,
  },
];

export const archiving: Checking = {
  usage: {
    name: 'archive',
    about: 'move closed orders’ events and unused quotes into files (docs/operating/archive.md)',
    description: [
      'Looks for orders that have ended for good, with nothing open and no change for a day, writes their events and their unused quotes into compressed files with a manifest, reads the files back, and then deletes these rows in short transactions. Only rows that a verified seal covers leave. The service can run meanwhile, and answers as before. A run that was interrupted can be started again.',
      'With --show it prints what the files have of one order, and needs no database.',
    ],
    options: [
      { name: 'before', value: 'DATE', about: 'orders whose last change was before this day (UTC) or time' },
      { name: 'to', value: 'DIR', about: 'the folder of the archive' },
      {
        name: 'chargeback-days',
        value: 'DAYS',
        about: 'how long buyers’ banks can take payments back; DATE must be longer ago. At least 120',
        otherwise: '540',
      },
      { name: 'dry-run', about: 'only count what would leave' },
      { name: 'show', value: 'ORDER_NO', about: 'print what the archive has of this order' },
      { name: 'from', value: 'DIR', about: 'the folder of the archive, for --show' },
    ],
    exits: {
      0: 'the rows are in the archive, or the order was printed',
      1: 'a file is damaged, or the order is not in the archive',
    },
    example: ['paydesk archive --before 540d --to /backup/archive'],
  },
  load: async () => (await import('./archive.ts')).archiveCommand,
};

export const comparing: Checking = {
  usage: {
    name: 'reconcile-provider',
    about: 'compare the card providers with the books',
    description: [
      'Reads the payments, refunds, disputes and events of each enabled card channel at its provider since a time, and prints what one side lacks. It changes nothing at the provider or in the books. The result is kept: the overview of the platform console raises an alarm while something differs. A worker does the same every night.',
      'A time is such as 2026-11-23T01:30:00Z, or a while ago such as 90m, 26h or 2d.',
    ],
    options: [
      { name: 'since', value: 'TIME', about: 'compare from this time on', required: true },
      { name: 'until', value: 'TIME', about: 'compare up to this time', otherwise: 'now' },
      { name: 'channel', value: 'PAYMENT_NO', about: 'compare this channel only, even if it is disabled' },
      { name: 'json', about: 'print the results as JSON' },
    ],
    exits: { 0: 'nothing differs', 1: 'something differs, or a provider could not be read' },
    example: ['paydesk reconcile-provider --since 26h'],
  },
  load: async () => (await import('./reconcile-provider.ts')).reconcileProviderCommand,
};
