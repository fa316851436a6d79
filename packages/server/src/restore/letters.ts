/** The letter to each merchant: which events and orders of the gap are void, and which stand (D-1089). Pure. */
import { merchantNo } from '../base/ids.ts';
import { oneLine } from '../base/input/one-line.ts';
import { rfc3339 } from '../base/time/clock.ts';
import type { FreeCodes } from '../catalog/fulfilment/index.ts';
import { isCatalogOrderNo } from '../catalog/orders/index.ts';
import type { LostEvent, MarkedKey } from './lost-orders.ts';
import type { Handled } from './settle-missing.ts';

/** What `after-restore` has found and done. */
export interface Restored {
  since: Date;
  until: Date;
  /** Whether an archive of notifications was given. Without one, no event ids are known. */
  has_archive: boolean;
  payments: readonly Handled[];
  events: readonly LostEvent[];
  keys: readonly MarkedKey[];
  /** The products that hand out codes: the codes that were sold in the gap are in stock again. */
  codes: readonly FreeCodes[];
}

/** One merchant's letter. */
export interface Letter {
  merchant_no: string;
  /** In plain words. */
  text: string;
  /** The same for programs. */
  json: object;
}

/** Merchants without anything to report get no letter. */
export function lettersOf(restored: Restored): Letter[] {
  const numbers = new Set([
    ...restored.payments.flatMap(({ merchant_id }) => numberOf(merchant_id)),
    ...restored.events.map(({ merchant_no }) => merchant_no),
    ...restored.keys.flatMap(({ merchant_id }) => numberOf(merchant_id)),
    ...restored.codes.map(({ merchant_id }) => merchantNo(merchant_id)),
  ]);
  return [...numbers].sort().map((merchant_no) => letterTo(merchant_no, restored));
}

/** The metadata of a session comes from the provider and can name anything. */
const numberOf = (merchant_id: string | null): string[] =>
  merchant_id !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(merchant_id)
    ? [merchantNo(merchant_id)]
    : [];

function letterTo(merchant_no: string, restored: Restored): Letter {
  const { since, until, has_archive } = restored;
  const isTheirs = ({ merchant_id }: { merchant_id: string | null }): boolean =>
    numberOf(merchant_id)[0] === merchant_no;
  const payments = restored.payments.filter(isTheirs);
  const events = restored.events.filter((event) => event.merchant_no === merchant_no);
  const keys = restored.keys
    .filter(isTheirs)
    .sort((a, b) => a.idempotency_key.localeCompare(b.idempotency_key));
  const codes = restored.codes.filter(isTheirs);
  const json = {
    ...{ merchant_no, since: rfc3339(since), until: rfc3339(until), event_ids_known: has_archive },
    orders: payments.map(orderJson),
    events: events.map(({ merchant_no: _, ...event }) => event),
    idempotency_keys: keys.map(({ merchant_id: _, ...key }) => key),
    codes_in_stock: codes.map(({ gd_no, codes: count }) => ({ gd_no, codes: count })),
  };
  return { merchant_no, json, text: textOf(merchant_no, restored, { payments, events, keys, codes }) };
}

const orderJson = ({ order_no, verdict, why, ...payment }: Handled) => ({
  ...{ order_no, verdict, why, kind: payment.kind, made_again: payment.recovered },
  provider_payment_id: payment.provider_payment_id,
  amount_minor: payment.amount_minor,
  currency: payment.currency,
  case_id: payment.case_id,
  to_do: payment.to_do?.merchant ?? null,
});

interface Concerned {
  payments: Handled[];
  events: LostEvent[];
  keys: MarkedKey[];
  codes: FreeCodes[];
}

function textOf(
  merchant_no: string,
  { since, until, has_archive }: Restored,
  { payments, events, keys, codes }: Concerned,
): string {
  const kept = payments.filter(({ verdict }) => verdict !== 'listed');
  const open = payments.filter(({ verdict }) => verdict === 'listed');
  const lines = [
    `To the merchant ${merchant_no}`,
    '',
    `Our database was restored to the state of ${rfc3339(since)}. What was stored from then until ${rfc3339(until)} is gone.`,
    'We have compared our books with the card providers. This letter lists what concerns you. The file beside it with the',
    'ending .json has the same for programs.',
    ...section(
      'These orders stand: their payments are booked, or their refunds and disputes are applied.',
      kept,
      (of) =>
        orderLine(
          of,
          `${of.verdict}${of.recovered ? madeAgain(of) : ''}: ${of.why}${of.to_do === null ? '' : `. ${of.to_do.merchant}`}`,
        ),
    ),
    ...section('These payments need a decision. What each line says last is what you do.', open, (of) =>
      orderLine(of, `${of.why}. ${of.to_do?.merchant ?? ''}`),
    ),
    ...section(
      'These events are true again. Keep what you did when you received them. The order sends a new event too.',
      events.filter(({ verdict }) => verdict === 'adopted'),
      eventLine,
    ),
    ...section(
      'These events are void: what they say is no longer true. Set your own order back to what it was before each, and do what the line says.',
      events.filter(({ verdict }) => verdict === 'void'),
      eventLine,
    ),
    ...(has_archive
      ? []
      : [
          '',
          'We have no archive of the events of that time. Compare every event that you received then with GET of its order.',
        ]),
    ...section(
      'A creation with one of these idempotency keys is answered with 409: its order is paid, and is gone or was made again.',
      keys,
      ({ idempotency_key, order_no, status, made_again }) =>
        `${idempotency_key}: order ${order_no}, ${status}, ${made_again ? 'made again' : 'gone'}`,
    ),
    ...section(
      'Codes of these products that buyers got in that time are in stock again, and would be sold twice. Take the products off sale, withdraw the codes that buyers have (codes are handed out in the order of their upload), then sell again.',
      codes,
      ({ gd_no, codes: count }) => `product ${gd_no}: ${count} codes in stock`,
    ),
    '',
  ];
  return lines.join('\n');
}

const section = <T>(headline: string, items: readonly T[], lineOf: (item: T) => string): string[] =>
  items.length === 0 ? [] : ['', headline, '', ...items.map((item) => `- ${oneLine(lineOf(item))}`)];

const madeAgain = ({ order_no }: Handled): string =>
  isCatalogOrderNo(order_no ?? '')
    ? ', the order was made again'
    : ', the order was made again without its description and addresses';

const orderLine = (
  { order_no, provider_payment_id, amount_minor, currency }: Handled,
  outcome: string,
): string =>
  `order ${order_no ?? 'unknown'}, payment ${provider_payment_id ?? 'unknown'}, ${amount_minor ?? '?'} minor units of ${currency ?? '?'}: ${outcome}`;

const eventLine = ({ event_id, order_no, status, status_now, to_do }: LostEvent): string =>
  `${event_id}: order ${order_no}, ${status}; the order is ${status_now ?? 'gone'} now. ${to_do}`;
