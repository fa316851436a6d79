import type { Call, FinalOrder, History, Seen } from './history.ts';

/**
 * Checks a history: a pure function of the records of an outside observer. Each rule describes its finding in one
 * sentence. An empty list means that nothing was lost and nothing happened twice.
 */

export const rules = {
  'status-version': 'status_version never goes back, and a version shows one state',
  'read-your-writes': 'what was acknowledged is there for every later request',
  'one-order-per-key': 'an idempotency key has one order, and an order one key',
  'one-event-per-payment': 'a payment has one event_id, and an event_id one payment',
  'receipt-for-payment': 'no notification reports a payment that no buyer made',
  'payment-for-receipt': 'at the end every payment shows, and its notification has arrived',
  money: 'the money of all wallets is conserved',
  signature: 'every notification is signed and keeps its body',
  answers: 'every answer is a documented one',
  rest: 'at the end nothing is open',
} as const;

export type Rule = keyof typeof rules;

export interface Violation {
  rule: Rule;
  words: string;
}

/** Statuses of an order whose payment was confirmed. */
const confirmed = new Set(['paid', 'refunded', 'chargeback']);

export function judge(history: History): Violation[] {
  const byRule: Record<Rule, string[]> = {
    'status-version': versionProblems(history),
    'read-your-writes': writeProblems(history),
    'one-order-per-key': keyProblems(history),
    'one-event-per-payment': eventProblems(history),
    'receipt-for-payment': unfoundedReceipts(history),
    'payment-for-receipt': missingReceipts(history),
    money: moneyProblems(history),
    signature: signatureProblems(history),
    answers: answerProblems(history),
    rest: history.orders.flatMap(({ order_no, open }) => open.map((words) => `${order_no}: ${words}`)),
  };
  return (Object.keys(rules) as Rule[]).flatMap((rule) => byRule[rule].map((words) => ({ rule, words })));
}

/** One sight of an order. Before `at_ms` it may have been read; a later request must show at least as much. */
interface Sight extends Seen {
  order_no: string;
  from_ms: number;
  to_ms: number;
  /** A notification may arrive late, so it may show less than a request before it. */
  can_be_late: boolean;
}

const endOfTime = Number.POSITIVE_INFINITY;

function sightsOf({ calls, receipts, orders }: History): Map<string, Sight[]> {
  const all: Sight[] = [
    ...calls.flatMap(({ order_no, order, from_ms, to_ms }) =>
      order === undefined ? [] : [{ order_no, ...order, from_ms, to_ms, can_be_late: false }],
    ),
    ...receipts.map(({ order_no, order, at_ms }) => ({
      ...{ order_no, ...order, from_ms: at_ms, to_ms: at_ms, can_be_late: true },
    })),
    ...orders.map(({ order_no, order }) => ({
      ...{ order_no, ...order, from_ms: endOfTime, to_ms: endOfTime, can_be_late: false },
    })),
  ];
  return grouped(all, ({ order_no }) => order_no);
}

function versionProblems(history: History): string[] {
  const found: string[] = [];
  for (const [order_no, sights] of sightsOf(history)) {
    const states = new Map<number, string>();
    for (const { status, status_version } of sights) {
      const known = states.get(status_version) ?? status;
      states.set(status_version, known);
      if (known !== status) found.push(`${order_no}: version ${status_version} is ${known} and ${status}`);
    }
    found.push(...stepsBack(order_no, sights));
  }
  return found;
}

/** Requests that began after another had shown a newer version. */
function stepsBack(order_no: string, sights: readonly Sight[]): string[] {
  const shown = sights.toSorted((a, b) => a.to_ms - b.to_ms);
  const asked = sights.filter((sight) => !sight.can_be_late).sort((a, b) => a.from_ms - b.from_ms);
  const found: string[] = [];
  let newest = 0;
  let next = 0;
  for (const { from_ms, status, status_version } of asked) {
    for (let sight = shown[next]; sight !== undefined && sight.to_ms < from_ms; sight = shown[++next]) {
      newest = Math.max(newest, sight.status_version);
    }
    if (status_version < newest) {
      found.push(`${order_no}: ${status} (version ${status_version}) was shown after version ${newest}`);
    }
  }
  return found;
}

/** The promise of an answer, and the later answers that break it. */
function writeProblems({ calls, orders }: History): string[] {
  const found: string[] = [];
  const finals = new Map(orders.map((order) => [order.order_no, order]));
  for (const [order_no, ofOrder] of grouped(calls, (call) => call.order_no)) {
    if (order_no === '') continue;
    const created = firstEnd(ofOrder, ({ kind, status }) => kind === 'create' && status === 201);
    const paid = firstEnd(ofOrder, isPaidAnswer);
    const refunded = firstEnd(ofOrder, ({ kind, refund }) => kind === 'refund' && refund === 'succeeded');
    for (const { client, from_ms, status, order } of ofOrder) {
      if (status === 404 && from_ms > created)
        found.push(`${order_no}: not found by ${client} after its creation`);
      if (order === undefined) continue;
      if (!confirmed.has(order.status) && from_ms > paid) {
        found.push(`${order_no}: ${order.status} for ${client} after its payment`);
      }
      if (order.status === 'paid' && from_ms > refunded)
        found.push(`${order_no}: paid for ${client} after its refund`);
    }
    const last = finals.get(order_no);
    if (created < endOfTime && last === undefined) found.push(`${order_no}: gone at the end`);
    if (paid < endOfTime && last !== undefined && !confirmed.has(last.order.status)) {
      found.push(`${order_no}: ${last.order.status} at the end after its payment`);
    }
    if (refunded < endOfTime && last?.order.status === 'paid')
      found.push(`${order_no}: paid at the end after its refund`);
  }
  return found;
}

const isPaidAnswer = ({ kind, method, status }: Call): boolean =>
  kind === 'pay' && method === 'ptk' && status === 200;

const firstEnd = (calls: readonly Call[], is: (call: Call) => boolean): number =>
  Math.min(endOfTime, ...calls.filter(is).map(({ to_ms }) => to_ms));

function keyProblems({ calls, orders }: History): string[] {
  const pairs = [...calls.filter(({ kind, status }) => kind === 'create' && status === 201), ...orders].map(
    ({ key, order_no }) => ({ key, order_no }),
  );
  return [
    ...manyOf(pairs, 'key', 'order_no').map(([key, all]) => `key ${key} has the orders ${all}`),
    ...manyOf(pairs, 'order_no', 'key').map(([order_no, all]) => `${order_no} has the keys ${all}`),
  ];
}

function eventProblems(history: History): string[] {
  const sights = [...sightsOf(history).values()].flat();
  const pairs = sights.flatMap(({ order_no, event_id }) =>
    event_id === null ? [] : [{ order_no, event_id }],
  );
  return [
    ...sights
      .filter(({ status, event_id }) => confirmed.has(status) !== (event_id !== null))
      .map(
        ({ order_no, status, event_id }) => `${order_no}: ${status} with the event_id ${String(event_id)}`,
      ),
    ...manyOf(pairs, 'order_no', 'event_id').map(([order_no, all]) => `${order_no} has the event ids ${all}`),
    ...manyOf(pairs, 'event_id', 'order_no').map(([event_id, all]) => `${event_id} stands for ${all}`),
  ];
}

/** Orders that show a payment before a buyer could have made one. */
function unfoundedReceipts(history: History): string[] {
  const tried = new Map<string, number>();
  const note = (order_no: string, from_ms: number): void => {
    tried.set(order_no, Math.min(from_ms, tried.get(order_no) ?? endOfTime));
  };
  for (const { kind, method, order_no, from_ms } of history.calls) {
    if (kind === 'pay' && method === 'ptk') note(order_no, from_ms);
  }
  for (const { order_no, from_ms } of history.provider_payments) note(order_no, from_ms);
  return [...sightsOf(history).values()]
    .flat()
    .filter(
      ({ order_no, status, to_ms }) => confirmed.has(status) && to_ms < (tried.get(order_no) ?? endOfTime),
    )
    .concat(finallyUnpaid(history, tried))
    .map(({ order_no, status }) => `${order_no} is ${status}, and no buyer had paid`);
}

const finallyUnpaid = (history: History, tried: ReadonlyMap<string, number>): Sight[] =>
  history.orders
    .filter(({ order_no, order }) => confirmed.has(order.status) && !tried.has(order_no))
    .map(({ order_no, order }) => ({
      ...{ order_no, ...order, from_ms: endOfTime, to_ms: endOfTime, can_be_late: false },
    }));

function missingReceipts({ provider_payments, receipts, orders }: History): string[] {
  const told = new Set(receipts.map(({ order_no, order }) => `${order_no} ${order.status_version}`));
  const finals = new Map(orders.map((order) => [order.order_no, order]));
  const unseen = [...new Set(provider_payments.map(({ order_no }) => order_no))]
    .filter((order_no) => !confirmed.has(finals.get(order_no)?.order.status ?? ''))
    .map(
      (order_no) =>
        `${order_no} was paid at the provider and is ${finals.get(order_no)?.order.status ?? 'gone'}`,
    );
  const untold = orders.flatMap(({ order_no, order }) =>
    Array.from({ length: order.status_version }, (_, i) => i + 1)
      .filter((version) => !told.has(`${order_no} ${version}`))
      .map((version) => `${order_no} is ${order.status}, and no notification of version ${version} arrived`),
  );
  return [...unseen, ...untold];
}

function moneyProblems({ orders, wallets }: History): string[] {
  const sum = (of: readonly FinalOrder[], amount: (order: FinalOrder) => bigint): bigint =>
    of.reduce((total, order) => total + amount(order), 0n);
  return wallets.flatMap(({ name, owner, before, after }) => {
    const own = orders.filter(({ buyer }) => owner === 'merchant' || buyer === name);
    const change =
      owner === 'merchant'
        ? sum(own, ({ order, settled, returned }) => (confirmed.has(order.status) ? settled - returned : 0n))
        : sum(own, ({ charged, order }) => (order.status === 'paid' ? -charged : 0n));
    return after === before + change ? [] : [`${owner} ${name} has ${after}, not ${before + change}`];
  });
}

function signatureProblems({ receipts }: History): string[] {
  const pairs = receipts.map(({ notification_id, digest }) => ({ notification_id, digest }));
  return [
    ...receipts
      .filter(({ invalid }) => invalid !== '')
      .map(({ order_no, invalid }) => `${order_no}: ${invalid}`),
    ...manyOf(pairs, 'notification_id', 'digest').map(([id]) => `notification ${id} came with two bodies`),
  ];
}

/** Error codes that these calls may be refused with while everything is repeated and anything may fail. */
const refusals: Record<Call['kind'], readonly string[]> = {
  create: [],
  read: [],
  open: [],
  // A repeated payment meets the first one.
  pay: ['payment_conflict'],
  // A repeated refund meets the first one; a payment may be too young to be known here.
  refund: ['payment_conflict'],
};

/** The service waits 15 seconds for a request. */
const slow_ms = 14_000;

function answerProblems({ calls }: History): string[] {
  return calls
    .filter(({ kind, status, error, from_ms, to_ms }) => {
      if (status === 0 || status === 503 || (status >= 200 && status < 300)) return false;
      // A process that stood still while a request arrived says that it came too slowly (H-11).
      if (status === 408) return error !== 'request_timeout' || to_ms - from_ms < slow_ms;
      return status >= 500 || !refusals[kind].includes(error);
    })
    .map(({ kind, order_no, key, status, error }) => `${kind} of ${order_no || key}: ${status} ${error}`);
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** The values of `one` that go with more than one value of `other`. */
function manyOf<A extends string, B extends string>(
  pairs: readonly Record<A | B, string>[],
  one: A,
  other: B,
): [string, string][] {
  return [...grouped(pairs, (pair) => pair[one])]
    .map(([value, all]): [string, Set<string>] => [value, new Set(all.map((pair) => pair[other]))])
    .filter(([, all]) => all.size > 1)
    .map(([value, all]) => [value, [...all].slice(0, 5).join(', ')]);
}
