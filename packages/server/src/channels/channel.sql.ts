/** Reads and writes channels (table `channels`). */
import { type Queryable, type Tx, type Row, sql } from '../base/pg/index.ts';
import type { Channel, FeeRule, FeeRules } from './channel.ts';

const columns = sql`payment_no, merchant_id, provider, name, currency, test_mode, enabled, login_required,
  supported_currencies, fees, debug_merchants, debug_users, api_base, secret_key_box, live_key, webhook_secret_box,
  previous_webhook_secret_box, previous_webhook_valid_until, webhook_key, created_at,
  names, payment_method_types`;

/** A fee rule as JSON, with amounts as text. */
export interface StoredRule {
  fixed_minor: string;
  percent_ppm: number;
  cap_minor: string | null;
}

type StoredFees = Record<string, { buyer: StoredRule; merchant: StoredRule }>;

type ChannelRow = Omit<Channel, 'fees'> & { fees: StoredFees } & Row;

const ruleFrom = (stored: StoredRule): FeeRule => ({
  fixed_minor: BigInt(stored.fixed_minor),
  percent_ppm: stored.percent_ppm,
  cap_minor: stored.cap_minor === null ? null : BigInt(stored.cap_minor),
});

const ruleToStore = (rule: FeeRule): StoredRule => ({
  fixed_minor: rule.fixed_minor.toString(),
  percent_ppm: rule.percent_ppm,
  cap_minor: rule.cap_minor?.toString() ?? null,
});

/** Reads fee rules from their JSON. */
export const rulesFrom = (stored: { buyer: StoredRule; merchant: StoredRule }): FeeRules => ({
  buyer: ruleFrom(stored.buyer),
  merchant: ruleFrom(stored.merchant),
});

/** Writes fee rules as JSON. */
export const rulesToStore = (rules: FeeRules): { buyer: StoredRule; merchant: StoredRule } => ({
  buyer: ruleToStore(rules.buyer),
  merchant: ruleToStore(rules.merchant),
});

const feesToStore = (fees: Map<string, FeeRules>): string =>
  JSON.stringify(Object.fromEntries([...fees].map(([currency, rules]) => [currency, rulesToStore(rules)])));

const fromRow = (row: ChannelRow): Channel => ({
  ...row,
  fees: new Map(Object.entries(row.fees).map(([currency, rules]) => [currency, rulesFrom(rules)])),
});

export async function selectChannels(db: Queryable): Promise<Channel[]> {
  const rows = await db.query<ChannelRow>(
    sql`SELECT ${columns} FROM channels ORDER BY created_at, payment_no`,
  );
  return rows.map(fromRow);
}

/** The platform's channels and the merchant's own, in order of creation. */
export async function selectChannelsFor(db: Queryable, merchant_id: string): Promise<Channel[]> {
  const rows = await db.query<ChannelRow>(
    sql`SELECT ${columns} FROM channels WHERE merchant_id IS NULL OR merchant_id = ${merchant_id}
      ORDER BY created_at, payment_no`,
  );
  return rows.map(fromRow);
}

export async function selectChannel(db: Queryable, payment_no: string): Promise<Channel | null> {
  const rows = await db.query<ChannelRow>(
    sql`SELECT ${columns} FROM channels WHERE payment_no = ${payment_no}`,
  );
  return rows.map(fromRow)[0] ?? null;
}

export async function selectChannelByWebhookKey(db: Queryable, webhook_key: string): Promise<Channel | null> {
  const rows = await db.query<ChannelRow>(
    sql`SELECT ${columns} FROM channels WHERE webhook_key = ${webhook_key}`,
  );
  return rows.map(fromRow)[0] ?? null;
}

export async function selectChannelForUpdate(tx: Tx, payment_no: string): Promise<Channel | null> {
  const rows = await tx.query<ChannelRow>(
    sql`SELECT ${columns} FROM channels WHERE payment_no = ${payment_no} FOR UPDATE`,
  );
  return rows.map(fromRow)[0] ?? null;
}

export async function insertChannel(tx: Tx, c: Channel): Promise<void> {
  await tx.query(
    sql`INSERT INTO channels (${columns}) VALUES (${c.payment_no}, ${c.merchant_id}, ${c.provider}, ${c.name},
      ${c.currency}, ${c.test_mode}, ${c.enabled}, ${c.login_required}, ${c.supported_currencies},
      ${feesToStore(c.fees)}, ${c.debug_merchants}, ${c.debug_users}, ${c.api_base}, ${c.secret_key_box}, ${c.live_key},
      ${c.webhook_secret_box}, ${c.previous_webhook_secret_box}, ${c.previous_webhook_valid_until},
      ${c.webhook_key}, ${c.created_at}, ${JSON.stringify(c.names)}, ${c.payment_method_types})`,
  );
}

export async function updateChannelRow(tx: Tx, c: Channel): Promise<void> {
  await tx.query(
    sql`UPDATE channels SET name = ${c.name}, currency = ${c.currency}, test_mode = ${c.test_mode},
      enabled = ${c.enabled}, login_required = ${c.login_required},
      supported_currencies = ${c.supported_currencies}, fees = ${feesToStore(c.fees)},
      debug_merchants = ${c.debug_merchants}, debug_users = ${c.debug_users}, api_base = ${c.api_base},
      secret_key_box = ${c.secret_key_box}, live_key = ${c.live_key}, webhook_secret_box = ${c.webhook_secret_box},
      previous_webhook_secret_box = ${c.previous_webhook_secret_box},
      previous_webhook_valid_until = ${c.previous_webhook_valid_until}, names = ${JSON.stringify(c.names)},
      payment_method_types = ${c.payment_method_types}
      WHERE payment_no = ${c.payment_no}`,
  );
}
