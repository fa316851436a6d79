/** What the operations of the API share: reading their own objects, expanding and listing them. */
import type { Account } from './account.ts';
import { expandPath } from './expand.ts';
import type { Fault } from '../simulator/faults.ts';
import { optionalList, optionalText, optionalTime, optionalTree, optionalWhole } from './params.ts';
import type { EventRecord } from '../records/records.ts';
import type { Sim } from '../simulator/sim.ts';
import { invalidParameter, noSuch } from './stripe-error.ts';
import type { FormTree } from './stripe-form.ts';
import { newestFirst } from '../records/store.ts';
import { wireList, type Wire } from './wire.ts';

/** One authenticated call of the API, as the operations see it. */
export type Call = {
  sim: Sim;
  account: Account;
  /** The identifier in the path; empty if there is none. */
  id: string;
  path: string;
  params: FormTree;
  request_id: string;
  idempotency_key: string | null;
  fault: Fault | undefined;
};

/** The result of an operation: the answer’s body and the events that happened. */
export type Outcome = { body: Wire; events?: EventRecord[]; session_id?: string };

export type Operation = (call: Call) => Outcome;

/** Returns the object if it belongs to the caller’s account; otherwise throws 404. */
export function ownRecord<T extends { account: string }>(
  map: Map<string, T>,
  call: Call,
  what: string,
  param = 'id',
  id = call.id,
): T {
  const record = map.get(id);
  if (record?.account !== call.account.id) throw noSuch(what, id, param);
  return record;
}

/**
 * Rejects an `expand[]` that the answer does not have. Call it before the operation.
 *
 * @param expandable the paths that this call can expand
 */
export function checkExpand(call: Call, expandable: readonly string[]): void {
  (optionalList(call.params, 'expand') ?? []).forEach((path, index) => {
    if (typeof path === 'string' && expandable.includes(path)) return;
    throw invalidParameter(`expand[${index}]`, `This property cannot be expanded (${JSON.stringify(path)}).`);
  });
}

/** Applies `expand[]` (see {@link checkExpand}) to an answer. */
export function expandBody(body: Wire, call: Call): Wire {
  for (const path of optionalList(call.params, 'expand') ?? []) {
    if (typeof path === 'string') expandPath(body, path.split('.'), call.sim.store);
  }
  return body;
}

/**
 * One page of the caller’s objects, newest first. Parameters: `limit` (1 to 100, default 10),
 * `starting_after`, `ending_before`, and `created` as a time or with `gt`, `gte`, `lt`, `lte`.
 */
export function listRecords<T extends { id: string; account: string; created: number }>(
  call: Call,
  map: Map<string, T>,
  what: string,
  toWire: (record: T) => Wire,
  matches: (record: T) => boolean = () => true,
): Outcome {
  const { params } = call;
  const limit = Number(optionalWhole(params, 'limit') ?? 10n);
  if (limit < 1 || limit > 100) throw invalidParameter('limit', 'limit must be between 1 and 100');
  const inRange = createdRange(params);
  const all = newestFirst(map, call.account.id).filter(
    (record) => inRange(record.created) && matches(record),
  );
  const after = optionalText(params, 'starting_after');
  const before = optionalText(params, 'ending_before');
  let page: T[];
  let has_more: boolean;
  if (before !== undefined) {
    const newer = all.slice(0, positionOf(all, map, call, what, before, 'ending_before'));
    page = newer.slice(-limit);
    has_more = newer.length > limit;
  } else {
    const start = after === undefined ? 0 : positionOf(all, map, call, what, after, 'starting_after') + 1;
    page = all.slice(start, start + limit);
    has_more = all.length > start + limit;
  }
  return { body: expandBody(wireList(call.path, page.map(toWire), has_more), call) };
}

function positionOf<T extends { id: string; account: string; created: number }>(
  all: T[],
  map: Map<string, T>,
  call: Call,
  what: string,
  id: string,
  param: string,
): number {
  ownRecord(map, call, what, param, id);
  const index = all.findIndex((record) => record.id === id);
  if (index < 0) throw invalidParameter(param, `${id} does not match the filters of this list`);
  return index;
}

function createdRange(params: FormTree): (created: number) => boolean {
  if (typeof params['created'] === 'string') {
    const exact = optionalTime(params, 'created');
    return (created) => exact === undefined || created === exact;
  }
  const range = optionalTree(params, 'created') ?? {};
  const gt = optionalTime(range, 'gt', 'created') ?? -Infinity;
  const gte = optionalTime(range, 'gte', 'created') ?? -Infinity;
  const lt = optionalTime(range, 'lt', 'created') ?? Infinity;
  const lte = optionalTime(range, 'lte', 'created') ?? Infinity;
  return (created) => created > gt && created >= gte && created < lt && created <= lte;
}
