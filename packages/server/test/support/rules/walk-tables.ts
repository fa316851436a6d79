/**
 * The tables of the money path. Each has an expression that tells kinds of rows apart: the walk tampers with one row of
 * each kind. Only a row of `where` counts; the reason is beside it.
 */
export const moneyTables: Record<string, { states: string; where?: string }> = {
  ledger_transfers: { states: `posting || CASE leg WHEN 1 THEN '' ELSE ', further leg' END` },
  // A balance of zero says the same as no row.
  ledger_balances: { states: 'account', where: 'balance > 0' },
  user_wallets: { states: `'a person'`, where: 'available_ptk > 0' },
  user_wallet_lines: { states: 'posting' },
  posted_references: { states: 'kind' },
  withdrawals: { states: 'status' },
  merchants: { states: '(credit_limit_ptk > 0)' },
  products: { states: 'gd_name' },
  collection_orders: {
    states: `status || CASE WHEN settlement_ptk IS NULL THEN ', unsettled' ELSE '' END
      || CASE WHEN wallet_user_id IS NULL THEN '' ELSE ', top-up' END`,
  },
  catalog_orders: { states: `state || coalesce(', ' || reversed, '')` },
  catalog_codes: { states: `CASE WHEN order_no IS NULL THEN 'free' ELSE 'given' END` },
  payment_quotes: {
    states: `provider || ' of the ' || owner || CASE WHEN method_id IN (SELECT method_id FROM payment_attempts)
      THEN '' ELSE ', unused' END`,
  },
  payment_attempts: { states: `state || ' ' || provider` },
  payment_holds: {
    states: `CASE WHEN frozen THEN 'frozen' WHEN released_at IS NULL THEN 'held' ELSE 'released' END`,
  },
  payment_fee_reservations: { states: 'state' },
  payment_refunds: {
    states: `status || CASE WHEN provider_refund_id IS NULL THEN ', PTK' ELSE ', card' END`,
  },
  payment_complaints: {
    states: `status || ' ' || source || CASE WHEN external_cost IS NULL THEN '' ELSE ', charged' END`,
  },
  payment_cases: { states: `kind || ' ' || state` },
  notifications: { states: 'status_version' },
  rates: { states: 'currency' },
  currencies: { states: 'code' },
};

/** The other tables, and why they tell nothing of money. A new table has to be put here or above. */
export const otherTables: Record<string, string> = {
  account_notices: 'mails',
  api_requests: 'a log of calls',
  account_sum_marks: 'how far sums of accounts go',
  account_sums:
    'sums of accounts for a list, which are compared and can be computed again; no money depends on them',
  app_payments: 'which orders an app has paid, for limits that people set; the amounts stand with the orders',
  admin_keys: 'programs',
  approvals: 'requests that book nothing; what was booked has its own records',
  archive_batches: 'which file has which rows: compared with the audit log, in the tests of the archive',
  archived_orders: 'what is left of archived events: compared in the tests of the archive',
  audit_log: 'the second record that the checks compare with; the seals prove it',
  card_webhooks: 'hints, which move nothing: the provider is asked',
  buyer_mails: 'mails',
  card_disputes:
    'what the provider says, for people; what a dispute does to the books stands with its complaint',
  catalog_versions: 'a counter for caches',
  channels: 'settings; what they were for an order stands in its quotes',
  checkout_openings: 'when pages were opened; no money depends on it',
  clock_alarms: 'the clocks of processes',
  config_version: 'a counter for caches',
  dispute_evidence: 'texts that were sent to a bank',
  dispute_files: 'files that lie at the provider',
  failing_receivers: 'the health of addresses',
  inner_keys: 'keys',
  key_ring: 'keys',
  ledger_checkpoints: 'balances that a full check computes again',
  ledger_findings: 'results of checks',
  ledger_verification_leases: 'which process checks now',
  ledger_verification_marks: 'where the last check stood; a full check does not read it',
  ledger_verifications: 'results of checks',
  lost_order_keys: 'keys of orders that a restore has lost',
  merchant_acts: 'an index of the audit log',
  merchant_invitations: 'people',
  merchant_logos: 'pictures',
  merchant_members: 'people',
  notification_attempts: 'a log of deliveries that is kept for 90 days',
  oauth_artifacts: 'sessions',
  oauth_clients: 'programs',
  oauth_consents: 'people',
  oauth_signing_keys: 'keys',
  oauth_subjects: 'people',
  oauth_tokens: 'sessions',
  one_time_tokens: 'sessions',
  order_notes: 'texts of people',
  order_sum_marks: 'how far sums of orders go',
  order_sums:
    'sums of orders for figures, which are compared and can be computed again; no money depends on them',
  platform_sums: 'the same of all merchants together',
  progress_sum_marks: 'how far sums of progress go',
  progress_sums:
    'sums of how far orders came, which are compared and can be computed again; no money depends on them',
  ending_sums:
    'sums of how payments ended, which are compared and can be computed again; no money depends on them',
  owed_sum_marks: 'how far sums of what is owed go',
  owed_sums:
    'sums of balances for a page, which are compared and can be computed again; no money depends on them',
  passkeys: 'people',
  password_reset_requests: 'mails',
  payment_links: 'settings; the orders that a link makes are checked',
  platform_settings: 'settings',
  product_search: 'an index for searches',
  provider_reconciliation_nights: 'a plan of nightly runs',
  provider_reconciliations: 'reports about the providers',
  recovery_codes: 'people',
  saved_views: 'filters of lists that people keep',
  schema_batches: 'how far migrations have come',
  schema_migrations: 'the version of the schema',
  scope_applications: 'programs',
  sessions: 'sessions',
  sign_up_requests: 'mails',
  statement_deliveries: 'what was sent of the statements; they are made from the books',
  statement_exports: 'settings',
  test_clock: 'the clock of tests',
  totp_factors: 'people',
  traffic_holds: 'a switch',
  users: 'people',
};
