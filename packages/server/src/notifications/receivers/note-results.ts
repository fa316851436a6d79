/** Notices receivers that begin to fail or work again, and tells the people of their merchant (D-217). */
import type { Clock } from '../../base/time/clock.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import type { IdSource } from '../../base/ids.ts';
import { merchantNo } from '../../base/ids.ts';
import type { Tx } from '../../base/pg/index.ts';
import type { queueNotice } from '../../identity/mail/index.ts';
import { selectPerson } from '../../identity/people/index.ts';
import { peopleOf, selectMerchant } from '../../merchants/index.ts';
import { afterResults, endpointOf, type ReceiverNews, type ReceiverResult } from './failing-receiver.ts';
import { countFailingBeside, lockReceiver, type Receiver, updateReceiver } from './receiver.sql.ts';

/** How people are told. */
export interface ReceiverMail {
  queue: typeof queueNotice;
  /** Called after the commit that queued mail. */
  wake: () => void;
}

export interface ReceiverDeps {
  clock: Clock;
  ids: Pick<IdSource, 'uuid'>;
  /** Queues mail; null where no mail transport is configured: then no mail is sent. */
  mail: ReceiverMail | null;
}

/** The result of an attempt, with the address that it was made to. */
export interface AddressedResult extends ReceiverResult {
  url: string;
  destination: string;
}

/**
 * Counts the results of a merchant's attempts at their receivers, in the transaction that stores them. Invariant: the
 * row of a receiver is locked from its count to its mail, so each incident is reported once, however many workers deliver.
 *
 * @returns whether mail was queued
 */
export async function noteResults(
  tx: Tx,
  deps: ReceiverDeps,
  merchant_id: string,
  results: readonly AddressedResult[],
): Promise<boolean> {
  const byEndpoint = new Map<string, AddressedResult[]>();
  for (const result of results) {
    const endpoint = endpointOf(result.url);
    byEndpoint.set(endpoint, [...(byEndpoint.get(endpoint) ?? []), result]);
  }
  let told = false;
  // In one order, so that two workers do not wait for each other.
  for (const endpoint of [...byEndpoint.keys()].sort()) {
    const those = byEndpoint.get(endpoint) ?? [];
    const receiver = await lockReceiver(tx, merchant_id, {
      endpoint,
      destination: those[0]?.destination ?? '',
    });
    // Deleted just now, because it had worked for long. The results are stored at the next try.
    if (receiver === null) throw new Error('the row of a receiver was deleted meanwhile');
    const { after, news } = afterResults(receiver, those);
    await updateReceiver(tx, merchant_id, { endpoint, ...after });
    for (const one of news) {
      told = true;
      if (deps.mail !== null) await tellPeople(tx, deps, deps.mail, { merchant_id, receiver, ...one });
    }
  }
  return told;
}

type Telling = ReceiverNews & { merchant_id: string; receiver: Pick<Receiver, 'endpoint' | 'destination'> };

/** People get mail about at most this many receivers at one host. Addresses that name the order can be thousands. */
const mostTold = 5;

/** Queues one mail to each owner and developer who can sign in. */
async function tellPeople(
  tx: Tx,
  { clock, ids }: ReceiverDeps,
  mail: ReceiverMail,
  { merchant_id, receiver, news, of }: Telling,
): Promise<void> {
  if ((await countFailingBeside(tx, merchant_id, receiver, mostTold)) >= mostTold) return;
  const merchant = await selectMerchant(tx, merchant_id);
  if (merchant === null) return;
  const detail = {
    merchant: merchant.name,
    merchant_no: merchantNo(merchant_id),
    // Host and port: the rest of an address may be secret.
    receiver: receiver.destination,
    failures: String(of.failures),
    answer: of.last_http_status === null ? (of.last_error ?? '') : `HTTP ${of.last_http_status}`,
    since: of.failing_since === null ? '' : rfc3339(of.failing_since),
    at: rfc3339(clock.now()),
  };
  for (const user_id of await peopleOf(tx, merchant, ['owner', 'developer'])) {
    const person = await selectPerson(tx, user_id);
    if (person === null || person.disabled_at !== null) continue;
    const kind = `receiver_${news}` as const;
    await mail.queue(tx, { notice_id: ids.uuid(), user_id, kind, detail, due_at: clock.real() });
  }
}
