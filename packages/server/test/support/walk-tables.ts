/**
 * The tables of the money path. Each has an expression that tells kinds of rows apart: the walk tampers with one row of
 * each kind. A row of `where` alone counts; the reason stands beside it.
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
  collection_orders: { states: `status || CASE WHEN settlement_ptk IS NULL THEN ', unsettled' ELSE '' END` },
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
  admin_keys: 'programs',
  approvals: 'requests that book nothing; what was booked has its own records',
  audit_log: 'the second record that the checks compare with; the seals prove it',
  card_webhooks: 'hints, which move nothing: the provider is asked',
  catalog_versions: 'a counter for caches',
  channels: 'settings; what they were for an order stands in its quotes',
  clock_alarms: 'the clocks of processes',
  config_version: 'a counter for caches',
  inner_keys: 'keys',
  key_ring: 'keys',
  ledger_checkpoints: 'balances that a full check makes anew',
  ledger_findings: 'results of checks',
  ledger_verification_leases: 'which process checks now',
  ledger_verification_marks: 'where the last check stood; a full check does not read it',
  ledger_verifications: 'results of checks',
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
  passkeys: 'people',
  password_reset_requests: 'mails',
  platform_settings: 'settings',
  product_search: 'an index for searches',
  recovery_codes: 'people',
  schema_migrations: 'the version of the schema',
  scope_applications: 'programs',
  sessions: 'sessions',
  test_clock: 'the clock of tests',
  totp_factors: 'people',
  users: 'people',
};
