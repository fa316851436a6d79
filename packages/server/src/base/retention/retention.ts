/**
 * How long the rows of each table stay, and where they name people: the one place that says it (D-434).
 * docs/retention.md shows it, and `paydesk person` reads it. A test walks all tables and columns of the schema.
 */

/** The life of a table's rows, and the columns about people. */
export interface TableLife {
  /**
   * `forever`: rows are never deleted. `purged`: a job of the worker deletes them. `current`: what holds now; a row is
   * changed, or deleted with what it describes. `archived`: rows of closed orders leave for files by `paydesk archive`.
   */
  stays: 'forever' | 'purged' | 'current' | 'archived';
  /** When and why rows end; for `forever`, why they stay. */
  why: string;
  /** Columns that name a person: by id, by `user:` and the id, by account name, or by mail address. */
  people?: Readonly<Record<string, Naming>>;
  /** Further columns that say something about the person or that a person has written. */
  personal?: readonly string[];
}

export type Naming = 'id' | 'ids' | 'actor' | 'account' | 'email';

const books = 'the books: sealed, and the proof of what everyone was paid';
const settings = 'a setting, until it is changed';
const state = 'the state of a process or a job; one row or few';
const record = 'a record of what was decided, checked with the books';
const purge = 'job `purge`';

export const retention: Readonly<Record<string, TableLife>> = {
  account_notices: {
    stays: 'purged',
    why: 'until the mail is sent or given up, by the job `mails`',
    people: { user_id: 'id' },
    personal: ['detail', 'locale'],
  },
  account_sum_marks: { stays: 'current', why: state },
  account_sums: { stays: 'current', why: 'sums of the books, which `rebuild-sums` rebuilds' },
  admin_keys: {
    stays: 'forever',
    why: 'the audit log names keys, also revoked ones',
    people: { created_by: 'actor', revoked_by: 'actor' },
    personal: ['owner'],
  },
  api_requests: { stays: 'purged', why: `after 7 days, and beyond 20,000 for each merchant, ${purge}` },
  app_payments: {
    stays: 'forever',
    why: 'what apps paid for a person, for limits and for the person',
    people: { user_id: 'id' },
  },
  approvals: {
    stays: 'forever',
    why: record,
    people: { asked_by: 'actor', decided_by: 'actor' },
    personal: ['request', 'reason', 'decision_reason'],
  },
  archive_batches: { stays: 'forever', why: 'which file has which rows' },
  archived_orders: { stays: 'forever', why: 'what is needed to write the events of closed orders again' },
  archived_seal_lines: { stays: 'forever', why: 'which sealed rows are in files' },
  audit_log: {
    stays: 'forever',
    why: 'sealed: who changed what, also mail addresses and names that were changed',
    people: { actor: 'actor', target: 'actor' },
    personal: ['before', 'after', 'reason', 'address', 'session_id'],
  },
  buyer_mails: {
    stays: 'purged',
    why: `after 90 days, ${purge}; the address is sealed`,
    personal: ['address_box', 'locale'],
  },
  card_disputes: { stays: 'forever', why: record },
  card_webhooks: {
    stays: 'purged',
    why: `90 days after arrival once nothing waits, ${purge}; the body is sealed`,
    personal: ['body_box'],
  },
  catalog_codes: { stays: 'forever', why: 'what was sold; deleted only while it is unsold' },
  catalog_orders: {
    stays: 'forever',
    why: books,
    people: { user_id: 'id' },
    personal: ['other_ipu', 'delivery_note_box'],
  },
  catalog_versions: { stays: 'current', why: state },
  channels: {
    stays: 'forever',
    why: 'old quotes and attempts name their channel',
    people: { debug_users: 'ids' },
  },
  checkout_openings: {
    stays: 'forever',
    why: 'the merchants’ figures of how far orders came; no person is named',
  },
  clock_alarms: { stays: 'current', why: state },
  collection_orders: {
    stays: 'forever',
    why: books,
    people: { wallet_user_id: 'id' },
    personal: ['description', 'external_reference'],
  },
  config_version: { stays: 'current', why: state },
  currencies: { stays: 'current', why: settings },
  dispute_evidence: {
    stays: 'forever',
    why: 'what a bank was told; the texts are sealed',
    people: { asked_by: 'actor' },
    personal: ['texts_box'],
  },
  dispute_files: {
    stays: 'forever',
    why: 'names files that lie at the provider',
    people: { uploaded_by: 'actor' },
  },
  ending_sums: { stays: 'current', why: 'sums of the attempts, which `rebuild-sums` rebuilds' },
  failing_receivers: { stays: 'current', why: 'until the address answers again' },
  inner_keys: { stays: 'current', why: settings },
  key_ring: { stays: 'current', why: settings },
  ledger_balances: {
    stays: 'current',
    why: 'what is on an account; that of one order ends with its last money',
  },
  ledger_checkpoints: {
    stays: 'current',
    why: 'sums of the books, which a full check rebuilds',
    people: { owner: 'id' },
  },
  ledger_findings: { stays: 'current', why: 'until a check no longer finds it' },
  ledger_transfers: {
    stays: 'forever',
    why: books,
    people: { debit_account: 'account', credit_account: 'account' },
  },
  ledger_verification_leases: { stays: 'current', why: state },
  ledger_verification_marks: { stays: 'current', why: state },
  ledger_verifications: { stays: 'forever', why: record, people: { verified_by: 'actor' } },
  lost_order_keys: { stays: 'forever', why: 'keys that a restore has lost stay taken' },
  merchant_acts: { stays: 'forever', why: 'an index of the audit log' },
  merchant_invitations: {
    stays: 'purged',
    why: `at their end, ${purge}, or when they are accepted or withdrawn`,
    people: { email: 'email', invited_by: 'actor' },
    personal: ['locale'],
  },
  merchant_logos: { stays: 'current', why: settings },
  merchant_members: {
    stays: 'current',
    why: 'until the member leaves',
    people: { user_id: 'id', added_by: 'actor' },
  },
  merchants: { stays: 'forever', why: books, people: { owner_user_id: 'id' }, personal: ['contact'] },
  notification_attempts: { stays: 'purged', why: `after 90 days, ${purge}` },
  notifications: {
    stays: 'archived',
    why: 'sealed: the bytes that a merchant was sent; `paydesk archive` moves those of closed orders',
    personal: ['body'],
  },
  oauth_artifacts: { stays: 'purged', why: `at their end, ${purge}`, personal: ['payload'] },
  oauth_clients: {
    stays: 'forever',
    why: 'orders and the audit log name programs',
    people: { disabled_by: 'actor' },
  },
  oauth_consents: { stays: 'current', why: 'until the person ends it', people: { user_id: 'id' } },
  oauth_signing_keys: { stays: 'current', why: 'until it was retired for as long as its tokens live' },
  oauth_subjects: {
    stays: 'forever',
    why: 'the number under which a program knows a person',
    people: { user_id: 'id' },
  },
  oauth_tokens: {
    stays: 'purged',
    why: `at their end, ${purge}`,
    people: { user_id: 'id' },
    personal: ['payload'],
  },
  one_time_tokens: {
    stays: 'purged',
    why: `at their end, ${purge}`,
    people: { user_id: 'id' },
    personal: ['detail'],
  },
  order_notes: {
    stays: 'current',
    why: 'until the merchant deletes it',
    people: { author: 'actor' },
    personal: ['text'],
  },
  order_sum_marks: { stays: 'current', why: state },
  order_sums: { stays: 'current', why: 'sums of the orders, which `rebuild-sums` rebuilds' },
  owed_sum_marks: { stays: 'current', why: state },
  owed_sums: { stays: 'current', why: 'sums of the books, which `rebuild-sums` rebuilds' },
  passkeys: { stays: 'current', why: 'until the person removes it', people: { user_id: 'id' } },
  password_reset_requests: {
    stays: 'purged',
    why: 'until the mail is sent or given up, by the job `mails`',
    people: { email: 'email' },
    personal: ['locale'],
  },
  payment_attempts: {
    stays: 'forever',
    why: books,
    people: { buyer_user_id: 'id' },
    personal: ['request', 'detail'],
  },
  payment_cases: { stays: 'forever', why: record, personal: ['detail'] },
  payment_complaints: { stays: 'forever', why: record, personal: ['reason'] },
  payment_fee_reservations: { stays: 'forever', why: books },
  payment_holds: { stays: 'forever', why: books },
  payment_links: { stays: 'forever', why: 'orders came from them', people: { created_by: 'actor' } },
  payment_quotes: {
    stays: 'archived',
    why: 'sealed: the terms that were offered; `paydesk archive` moves the unused ones of closed orders',
  },
  payment_refunds: { stays: 'forever', why: books },
  platform_settings: { stays: 'current', why: settings },
  platform_sums: { stays: 'current', why: 'sums of the orders, which `rebuild-sums` rebuilds' },
  posted_references: { stays: 'forever', why: 'a reference never books twice' },
  product_search: { stays: 'current', why: 'an index of the products' },
  products: { stays: 'forever', why: 'catalog orders name them' },
  progress_sum_marks: { stays: 'current', why: state },
  progress_sums: { stays: 'current', why: 'sums of the orders, which `rebuild-sums` rebuilds' },
  provider_reconciliation_nights: { stays: 'current', why: 'one row for each channel: its last night' },
  provider_reconciliations: { stays: 'forever', why: record, people: { run_by: 'actor' } },
  rates: { stays: 'current', why: 'the price now; the audit log has those before' },
  recovery_codes: { stays: 'current', why: 'until it is used or replaced', people: { user_id: 'id' } },
  saved_views: {
    stays: 'current',
    why: 'until the person deletes it',
    people: { user_id: 'id' },
    personal: ['name', 'query'],
  },
  schema_batches: { stays: 'current', why: state },
  schema_migrations: { stays: 'forever', why: 'the version of the schema' },
  scope_applications: {
    stays: 'forever',
    why: record,
    people: { requested_by: 'actor', decided_by: 'actor' },
    personal: ['reason'],
  },
  seal_keys: { stays: 'forever', why: 'old seals name them' },
  seal_marks: { stays: 'current', why: state },
  seal_sinks: { stays: 'current', why: state },
  seals: { stays: 'forever', why: 'the seals themselves' },
  sessions: {
    stays: 'purged',
    why: `at their end, ${purge}`,
    people: { user_id: 'id' },
    personal: ['agent', 'address'],
  },
  sign_up_requests: {
    stays: 'purged',
    why: `at the end of their link, ${purge}`,
    people: { email: 'email', user_id: 'id' },
    personal: ['email_key', 'name', 'locale', 'return_box'],
  },
  statement_deliveries: { stays: 'purged', why: `after 90 days, ${purge}`, people: { user_id: 'id' } },
  statement_exports: { stays: 'current', why: settings, people: { user_ids: 'ids', created_by: 'actor' } },
  test_clock: { stays: 'current', why: state },
  totp_factors: { stays: 'current', why: 'until the person removes it', people: { user_id: 'id' } },
  traffic_holds: { stays: 'current', why: state },
  user_wallet_lines: { stays: 'forever', why: books, people: { user_id: 'id' } },
  user_wallets: { stays: 'forever', why: books, people: { user_id: 'id' } },
  users: {
    stays: 'forever',
    why: 'a disabled person stays: the audit log names people by id',
    people: { user_id: 'id' },
    personal: ['email', 'email_key', 'name', 'locale'],
  },
  withdrawals: { stays: 'forever', why: books },
};
