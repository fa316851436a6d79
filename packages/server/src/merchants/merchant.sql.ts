/** Reads and writes merchants (table `merchants`). */
import { type Queryable, type Tx, type Row, sql } from '../base/pg/index.ts';
import type { Merchant } from './merchant.ts';

const columns = sql`merchant_id, name, owner_user_id, status, hold_days, guest_purchase_allowed, credit_limit_ptk,
  logo_url, short_description, description, business_scope, website_url, contact, notify_url, notify_enabled,
  notify_secret_box, embed_origins, created_at`;

export async function selectMerchant(db: Queryable, merchant_id: string): Promise<Merchant | null> {
  const [row] = await db.query<Merchant & Row>(
    sql`SELECT ${columns} FROM merchants WHERE merchant_id = ${merchant_id}`,
  );
  return row ?? null;
}

export async function selectMerchantForUpdate(tx: Tx, merchant_id: string): Promise<Merchant | null> {
  const [row] = await tx.query<Merchant & Row>(
    sql`SELECT ${columns} FROM merchants WHERE merchant_id = ${merchant_id} FOR UPDATE`,
  );
  return row ?? null;
}

/** A filter on merchants; null for any value. */
export interface MerchantFilter {
  /** A part of the name, ignoring case; or the whole id. */
  text: string | null;
  merchant_id: string | null;
  status: Merchant['status'] | null;
  owner_user_id: string | null;
}

const anyMerchant: MerchantFilter = { text: null, merchant_id: null, status: null, owner_user_id: null };

/** One page of merchants after a cursor, by id. */
export function selectMerchants(
  db: Queryable,
  after: string,
  limit: number,
  { text, merchant_id, status, owner_user_id }: MerchantFilter = anyMerchant,
): Promise<Merchant[]> {
  const named =
    text === null
      ? sql``
      : sql`AND (position(lower(${text}) in lower(name)) > 0 OR merchant_id = ${merchant_id}::uuid)`;
  const inStatus = status === null ? sql`` : sql`AND status = ${status}`;
  const owned = owner_user_id === null ? sql`` : sql`AND owner_user_id = ${owner_user_id}`;
  return db.query<Merchant & Row>(
    sql`SELECT ${columns} FROM merchants WHERE merchant_id > ${after} ${named} ${inStatus} ${owned}
      ORDER BY merchant_id LIMIT ${limit}`,
  );
}

export async function insertMerchant(tx: Tx, m: Merchant): Promise<void> {
  await tx.query(
    sql`INSERT INTO merchants (${columns}) VALUES (${m.merchant_id}, ${m.name}, ${m.owner_user_id}, ${m.status},
      ${m.hold_days}, ${m.guest_purchase_allowed}, ${m.credit_limit_ptk}, ${m.logo_url}, ${m.short_description},
      ${m.description}, ${m.business_scope}, ${m.website_url}, ${m.contact}, ${m.notify_url}, ${m.notify_enabled},
      ${m.notify_secret_box}, ${m.embed_origins}, ${m.created_at})`,
  );
}

export async function updateMerchantRow(tx: Tx, m: Merchant): Promise<void> {
  await tx.query(
    sql`UPDATE merchants SET name = ${m.name}, status = ${m.status}, hold_days = ${m.hold_days},
      owner_user_id = ${m.owner_user_id}, guest_purchase_allowed = ${m.guest_purchase_allowed},
      credit_limit_ptk = ${m.credit_limit_ptk}, logo_url = ${m.logo_url}, short_description = ${m.short_description},
      description = ${m.description}, business_scope = ${m.business_scope}, website_url = ${m.website_url},
      contact = ${m.contact}, notify_url = ${m.notify_url}, notify_enabled = ${m.notify_enabled},
      notify_secret_box = ${m.notify_secret_box}, embed_origins = ${m.embed_origins}
      WHERE merchant_id = ${m.merchant_id}`,
  );
}
