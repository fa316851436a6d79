import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sealed } from '../../../src/base/sealed-columns.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { secretBox } from '../../../src/base/secret-box.ts';
import { changeNotifyDefaults } from '../../../src/merchants/save-merchant.ts';
import type { Merchant as Caller, Order } from '../desks/platform.ts';
import { openReceiver, type Receiver, type Received } from '../servers/receiver.ts';
import { eventually, type Json, type TestService } from '../desks/service.ts';
import { temporaryDirectory } from '../run/temporary.ts';
import { testAuthority } from '../servers/tls.ts';

/** A notification's body, as a receiver reads it. */
export interface Envelope {
  id: string;
  type: string;
  api_version: number;
  created_at: string;
  data: Json & { order_no: string; status: string; status_version: number; event_id?: string };
}

/** One delivery record, as the merchant reads it. */
export interface DeliveryRecord {
  event_id: string;
  status_version: number;
  event: Envelope;
  delivery_status: string;
  attempts: number;
  next_attempt_at: string | null;
  last_http_status: number | null;
  last_error: string | null;
  delivery_attempts: (Json & { attempt: number; started_at: string; finished_at?: string })[];
}

/** A receiver on the loopback address, and the settings under which a service delivers to it. */
export interface LocalReceiver extends Receiver {
  env: Record<string, string>;
  /** The deliveries for one order, in the order of arrival. */
  of(order: { order_no: string }): Received[];
  remove(): Promise<void>;
}

export async function localReceiver(): Promise<LocalReceiver> {
  const authority = await testAuthority();
  const directory = await temporaryDirectory('authority');
  const ca_file = join(directory.path, 'ca.pem');
  await writeFile(ca_file, authority.cert);
  const receiver = await openReceiver(authority);
  return Object.assign(receiver, {
    env: { PAYDESK_NOTIFY_ALLOW_CIDRS: '127.0.0.1/32', PAYDESK_NOTIFY_CA_FILE: ca_file },
    of: ({ order_no }: { order_no: string }) =>
      receiver.received.filter(({ body }) => body.includes(`"${order_no}"`)),
    async remove() {
      await receiver.close();
      await directory.remove();
    },
  });
}

/**
 * Verifies a request as the interface describes it: HMAC-SHA256 over the timestamp text, a period and the raw body,
 * with the bytes of the secret as the key; at most five minutes old or early.
 */
export function isAuthentic({ headers, body }: Received, secret: string, now_ms = Date.now()): boolean {
  const timestamp = String(headers['x-service-timestamp']);
  if (!/^[0-9]+$/.test(timestamp)) return false;
  if (Math.abs(now_ms / 1_000 - Number(timestamp)) > 300) return false;
  const digest = createHmac('sha256', Buffer.from(secret, 'utf8'))
    .update(Buffer.concat([Buffer.from(`${timestamp}.`, 'ascii'), body]))
    .digest('hex');
  return headers['x-service-signature'] === `sha256=${digest}`;
}

export const envelopeOf = ({ body }: Received): Envelope => JSON.parse(body.toString('utf8')) as Envelope;

/** The delivery records of an order, newest first. */
export async function recordsOf(
  merchant: Pick<Caller, 'get'>,
  { order_no }: Pick<Order, 'order_no'>,
): Promise<DeliveryRecord[]> {
  const answer = await merchant.get<{ items: DeliveryRecord[] }>(
    `/merchant-payments/${order_no}/notifications`,
  );
  if (answer.status !== 200) throw new Error(`records: ${answer.status} ${answer.text}`);
  return answer.body.items;
}

/** The record of one status, once it is as wanted. */
export async function recordWhere(
  merchant: Pick<Caller, 'get'>,
  order: Pick<Order, 'order_no'>,
  status: string,
  done: (record: DeliveryRecord) => boolean,
): Promise<DeliveryRecord> {
  const find = async (): Promise<DeliveryRecord | undefined> =>
    (await recordsOf(merchant, order)).find(({ event }) => event.data.status === status);
  const found = await eventually(find, (record) => record !== undefined && done(record));
  if (found === undefined) throw new Error(`no ${status} event`);
  return found;
}

/** Sets a merchant's default endpoint without the console, which does not let its owner choose a secret or key. */
export async function setDefaults(
  service: TestService,
  merchant_no: string,
  defaults: { url: string; enabled: boolean; secret: string; key?: Buffer },
): Promise<void> {
  const merchant_id = merchantIdOf(merchant_no);
  if (merchant_id === null) throw new Error(`no merchant number: ${merchant_no}`);
  const box = secretBox([defaults.key ?? service.secret_key]);
  await service.db.transaction((tx) =>
    changeNotifyDefaults(tx, merchant_id, () => ({
      notify_url: defaults.url,
      notify_enabled: defaults.enabled,
      notify_secret_box: box.seal(defaults.secret, sealed.merchantNotifySecret.row({ merchant_id })),
    })),
  );
  // Any write of the administration makes the processes drop their caches of a merchant.
  await service.admin('PATCH', `/merchants/${merchant_no}`, { contact: '' });
}
