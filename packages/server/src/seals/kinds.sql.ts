/** The kinds of facts that are sealed: rows that are never changed once they are there (docs/seals.md). */
import { type Sql, sql } from '../base/pg/index.ts';
import { platformBook } from '../base/ids.ts';

/**
 * How a column is written in a canonical row. `text` may need escapes in JSON and `prose` usually does, `plain` (numbers,
 * ids, booleans) never does, `time` is written in microseconds, `json` as the text that the database stores.
 */
type Form = 'text' | 'prose' | 'plain' | 'time' | 'json';

export interface Column {
  name: string;
  form: Form;
  nullable: boolean;
  /** Whether the canonical row leaves the column out where it is null. For columns that came after the first seals. */
  optional: boolean;
}

export interface FactKind {
  /** The name in entries, exports and findings. */
  name: string;
  /** The table, named `f`. */
  from: Sql;
  /** The sealed columns, sorted by name. Other columns of the table may change. */
  columns: readonly Column[];
  /** The columns after the chain that identify a row, with their types. */
  key: readonly (readonly [column: string, type: string])[];
  /** The column that tells the age of a row, or null if there is none. */
  at: string | null;
  /** The condition under which a row is final, or null if it always is. */
  final: string | null;
  /** SQL of the chain: the merchant's, or the platform's for rows that belong to no merchant. */
  chain: string;
}

const merchant = 'f.merchant_id';
const platform = `'${platformBook}'::uuid`;

/**
 * Reads `name?: form` pairs. One question mark means that the column may be null; two, that it is left out when null. The
 * first column by name is never left out.
 */
const columnsOf = (text: Record<string, Form>): Column[] =>
  Object.entries(text)
    .map(([name, form]) => ({
      name: name.replaceAll('?', ''),
      form,
      nullable: name.endsWith('?'),
      optional: name.endsWith('??'),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/** The entries of the audit log. */
export const auditKind: FactKind = {
  name: 'audit',
  from: sql`FROM audit_log f`,
  columns: columnsOf({
    audit_id: 'text',
    at: 'time',
    actor: 'prose',
    action: 'text',
    target: 'prose',
    'reason?': 'prose',
    'before?': 'json',
    'after?': 'json',
    'address??': 'prose',
    'session_id??': 'text',
  }),
  key: [['audit_id', 'text']],
  at: 'at',
  final: null,
  chain: platform,
};

/** All kinds, in the order in which a pass seals them. */
export const factKinds: readonly FactKind[] = [
  {
    name: 'transfer',
    from: sql`FROM ledger_transfers f`,
    columns: columnsOf({
      merchant_id: 'plain',
      subject: 'text',
      posting: 'text',
      case_key: 'text',
      leg: 'plain',
      debit_account: 'text',
      credit_account: 'text',
      currency: 'text',
      amount: 'plain',
      test_mode: 'plain',
      at: 'time',
    }),
    key: [
      ['subject', 'text'],
      ['posting', 'text'],
      ['case_key', 'text'],
      ['leg', 'smallint'],
    ],
    at: 'at',
    final: null,
    chain: merchant,
  },
  {
    name: 'event',
    from: sql`FROM notifications f`,
    columns: columnsOf({
      merchant_id: 'plain',
      event_id: 'text',
      order_no: 'text',
      status_version: 'plain',
      body: 'prose',
      url: 'text',
      created_at: 'time',
    }),
    key: [['event_id', 'text']],
    at: 'created_at',
    final: null,
    chain: merchant,
  },
  {
    name: 'quote',
    from: sql`FROM payment_quotes f`,
    columns: columnsOf({
      merchant_id: 'plain',
      order_no: 'text',
      method_id: 'text',
      payment_no: 'text',
      provider: 'text',
      owner: 'text',
      test_mode: 'plain',
      currency: 'text',
      currency_decimals: 'plain',
      subtotal: 'plain',
      buyer_fee: 'plain',
      merchant_fee: 'plain',
      merchant_fee_ptk: 'plain',
      fee_rules: 'json',
    }),
    key: [
      ['order_no', 'text'],
      ['method_id', 'text'],
    ],
    at: null,
    final: null,
    chain: merchant,
  },
  {
    name: 'withdrawal',
    from: sql`FROM withdrawals f`,
    columns: columnsOf({
      merchant_id: 'plain',
      withdrawal_id: 'text',
      reference: 'text',
      amount_ptk: 'plain',
      payout_currency: 'text',
      payout_decimals: 'plain',
      payout_amount: 'plain',
      status: 'text',
      requested_at: 'time',
      decided_at: 'time',
    }),
    key: [['withdrawal_id', 'text']],
    at: 'decided_at',
    final: 'decided_at IS NOT NULL',
    chain: merchant,
  },
  {
    name: 'case',
    from: sql`FROM payment_cases f`,
    columns: columnsOf({
      merchant_id: 'plain',
      case_id: 'text',
      kind: 'text',
      dedupe_key: 'text',
      'order_no?': 'text',
      opened_at: 'time',
      'resolution?': 'text',
      'reason?': 'prose',
      resolved_at: 'time',
    }),
    key: [['case_id', 'text']],
    at: 'resolved_at',
    final: 'resolved_at IS NOT NULL',
    chain: merchant,
  },
  auditKind,
];

/** The kind of the entries in the platform's chain that represent seals of merchants. It has no table. */
export const sealKind = 'seal';
