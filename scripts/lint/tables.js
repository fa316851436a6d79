import { relative, sep } from 'node:path';
import { roomOf } from './rooms.js';

/** The one module that owns each table: it alone writes its rows, and others ask it for them. */
export const owners = new Map(
  Object.entries({
    base: 'traffic_holds schema_migrations schema_batches config_version test_clock clock_alarms audit_log merchant_acts platform_settings key_ring inner_keys',
    ledger: `ledger_transfers ledger_balances ledger_verifications ledger_verification_marks ledger_verification_leases
      ledger_findings ledger_checkpoints account_sums account_sum_marks owed_sums owed_sum_marks posted_references user_wallets user_wallet_lines withdrawals`,
    currencies: 'currencies rates',
    seals: 'seals seal_keys seal_marks seal_sinks archived_seal_lines',
    merchants: 'merchants merchant_members merchant_invitations merchant_logos',
    identity:
      'users sessions one_time_tokens password_reset_requests sign_up_requests account_notices buyer_mails totp_factors recovery_codes passkeys saved_views',
    requests: 'api_requests',
    oauth:
      'oauth_clients oauth_tokens oauth_artifacts oauth_consents oauth_subjects oauth_signing_keys scope_applications',
    channels: 'channels',
    payments: `payment_quotes payment_attempts payment_holds payment_cases payment_refunds payment_complaints
      payment_fee_reservations card_webhooks payable_orders provider_reconciliations
      provider_reconciliation_nights card_disputes dispute_files dispute_evidence`,
    notifications: 'notifications notification_attempts failing_receivers archived_orders',
    collection:
      'collection_orders lost_order_keys payment_links order_notes checkout_openings order_sums order_sum_marks platform_sums progress_sums ending_sums progress_sum_marks archive_batches',
    admin: 'admin_keys approvals',
    console: 'statement_exports statement_deliveries',
    catalog: 'products product_search catalog_versions catalog_orders catalog_codes app_payments',
  }).flatMap(([module, tables]) => tables.split(/\s+/).map((table) => [table, module])),
);

const dueWork = 'finds the merchants that have due work, one index look-up for each (docs/ARCHITECTURE.md)';

/**
 * The reads across modules, each with its reason. There are no writes across.
 *
 * @type {readonly { room: string, tables: readonly string[], why: string }[]}
 */
export const readsAcross = [
  {
    room: 'jobs',
    tables: [
      ...[
        'merchants',
        'notifications',
        'collection_orders',
        'catalog_orders',
        'card_webhooks',
        'merchant_logos',
      ],
      ...['payment_attempts', 'payment_holds', 'payment_refunds', 'payment_complaints', 'payment_cases'],
      ...['dispute_evidence', 'statement_exports', 'statement_deliveries', 'sign_up_requests', 'buyer_mails'],
      ...['password_reset_requests', 'account_notices', 'merchant_invitations'],
    ],
    why: 'asks in one statement when the first work of any kind is due, so that all workers may rest until then',
  },
  { room: 'catalog/fulfilment', tables: ['merchants'], why: dueWork },
  { room: 'notifications/delivery-attempts', tables: ['merchants'], why: dueWork },
  { room: 'notifications/backlog', tables: ['merchants'], why: dueWork },
  { room: 'notifications/delivery', tables: ['merchants'], why: dueWork },
  {
    room: 'catalog/search',
    tables: ['merchants'],
    why: 'finds a product by its number for an administrator, one index look-up for each merchant',
  },
  {
    room: 'notifications/delivery-records',
    tables: ['merchants'],
    why: 'finds an event by its id for an administrator, one index look-up for each merchant',
  },
  {
    room: 'notifications/receivers',
    tables: ['merchants'],
    why: 'lists the failing receivers of all merchants, one index range for each',
  },
  {
    room: 'console/exports',
    tables: ['merchants'],
    why: 'lists the failing exports of all merchants, with their names',
  },
  { room: 'payments/attempts', tables: ['merchants'], why: dueWork },
  { room: 'payments/deadlines', tables: ['merchants'], why: dueWork },
  { room: 'payments/holds', tables: ['merchants'], why: dueWork },
  { room: 'payments/engine', tables: ['merchants'], why: dueWork },
  { room: 'requests', tables: ['merchants'], why: dueWork },
  {
    room: 'payments/reconciliation',
    tables: ['merchants'],
    why: 'finds the paid attempts of a channel, one index range for each merchant',
  },
  {
    room: 'payments/attempts',
    tables: ['channels'],
    why: 'reads quote, channel and merchant of a payment in one round trip, as they stand now (D-169)',
  },
  {
    room: 'payments/attempts',
    tables: ['merchant_members'],
    why: 'reads the owners of a merchant in the same round trip (D-085)',
  },
  {
    room: 'payments/holds',
    tables: ['ledger_balances'],
    why: 'reads what is held for a merchant’s orders beside the day of its release, in one page',
  },
  {
    room: 'payments/facts',
    tables: [
      ...['ledger_transfers', 'ledger_balances', 'posted_references', 'user_wallet_lines', 'withdrawals'],
      ...['collection_orders', 'order_sums', 'order_sum_marks', 'platform_sums', 'checkout_openings'],
      ...['progress_sums', 'ending_sums', 'progress_sum_marks'],
      ...['catalog_orders', 'catalog_codes', 'products', 'product_search'],
      ...[
        'notifications',
        'notification_attempts',
        'archived_orders',
        'archived_seal_lines',
        'archive_batches',
        'merchants',
        'channels',
        'rates',
        'currencies',
        'audit_log',
        'users',
        'oauth_clients',
      ],
    ],
    why: 'compares every fact that tells of money with its other records: that is its purpose',
  },
  {
    room: 'verification',
    tables: [
      ...['ledger_transfers', 'withdrawals', 'notifications', 'payment_quotes', 'payment_cases'],
      ...['audit_log', 'collection_orders', 'catalog_orders', 'payment_complaints'],
      ...['archive_batches', 'archived_orders'],
    ],
    why: 'finds what is new in these tables since the last check, and which order it is about',
  },
  {
    room: 'seals',
    tables: [
      'ledger_transfers',
      'notifications',
      'payment_quotes',
      'withdrawals',
      'payment_cases',
      'audit_log',
    ],
    why: 'hashes the rows of these tables, and reads nothing else of them',
  },
  {
    room: 'cli/people',
    tables: [
      ...['users', 'user_wallets', 'merchants', 'collection_orders', 'catalog_orders', 'payment_attempts'],
      ...['payment_holds', 'payment_refunds', 'payment_complaints'],
    ],
    why: 'a person is erased only if no order, hold, refund or complaint of the person is open; one statement, by their indexes',
  },
  {
    room: 'payments/backlog',
    tables: ['merchants'],
    why: 'counts a queue up to a bound, merchant by merchant',
  },
  {
    room: 'collection/archiving',
    tables: [
      ...['notifications', 'archived_orders', 'payment_attempts', 'payment_holds', 'payment_refunds'],
      ...[
        'payment_complaints',
        'payment_cases',
        'payment_fee_reservations',
        'payment_quotes',
        'card_disputes',
      ],
    ],
    why: 'an order leaves only if nothing of it is open anywhere; one statement, by their indexes',
  },
  {
    room: 'collection/figures',
    tables: ['merchants'],
    why: 'sums over all merchants, one index range for each',
  },
  {
    room: 'collection/figures',
    tables: ['payment_attempts'],
    why: 'counts how far a merchant’s orders came, and why their payments ended, in one statement each',
  },
  {
    room: 'collection/reading',
    tables: ['merchants'],
    why: 'lists orders of all merchants by time, one index range for each',
  },
  {
    room: 'collection/reading',
    tables: ['payment_attempts'],
    why: 'leaves out of the alarm the orders whose payment the provider is processing (D-262)',
  },
];

const mention = /\b(FROM|JOIN|INTO|UPDATE|USING)\s+(?:ONLY\s+)?([a-z_]+)/g;

/**
 * The tables that a statement, or a part of one, names.
 *
 * @param {string} text
 * @returns {{ table: string, isWrite: boolean }[]}
 */
export function tablesIn(text) {
  return Array.from(text.matchAll(mention))
    .filter(([, , table]) => owners.has(table))
    .map(({ 1: word, 2: table, index }) => ({
      table,
      isWrite:
        word === 'INTO' ||
        (word === 'UPDATE' && !/\bFOR\s+(?:NO KEY\s+)?$/.test(text.slice(0, index))) ||
        /\bDELETE\s+$/.test(text.slice(0, index)),
    }));
}

/**
 * Why a room may not name a table as it does, or null where it may.
 *
 * @param {string} room
 * @param {{ table: string, isWrite: boolean }} use
 * @returns {string | null}
 */
export function tableRefusal(room, { table, isWrite }) {
  const owner = owners.get(table);
  if (owner === undefined || room.split('/')[0] === owner) return null;
  if (isWrite) return `${table} is written by ${owner}/ alone`;
  const isListed = readsAcross.some((read) => read.room === room && read.tables.includes(table));
  return isListed
    ? null
    : `${table} belongs to ${owner}/: ask it, or list this read with its reason in scripts/lint/tables.js`;
}

const source = `${sep}packages${sep}server${sep}src${sep}`;

/** The rule `paydesk/tables`: a table has one owner. */
export const tables = {
  meta: { type: 'problem', messages: { refused: '{{why}}.' }, schema: [] },
  create(context) {
    const at = context.filename.indexOf(source);
    if (at === -1) return {};
    const src = context.filename.slice(0, at + source.length);
    const room = roomOf(relative(src, context.filename).split(sep).join('/'));
    return {
      TaggedTemplateExpression(node) {
        if (node.tag.name !== 'sql') return;
        const text = node.quasi.quasis.map(({ value }) => value.raw).join(' $ ');
        for (const use of tablesIn(text)) {
          const why = tableRefusal(room, use);
          if (why !== null) context.report({ node, messageId: 'refused', data: { why } });
        }
      },
    };
  },
};
