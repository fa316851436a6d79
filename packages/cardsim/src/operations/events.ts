/** Reading events, as the provider keeps them. */
import { listRecords, ownRecord, type Call, type Outcome } from '../api/calls.ts';
import { optionalText } from '../api/params.ts';
import type { EventRecord } from '../records/records.ts';

/** An event with the members that lists need. */
type ListedEvent = { id: string; account: string; created: number; record: EventRecord };

function eventsOf({ sim }: Call): Map<string, ListedEvent> {
  return new Map(
    Array.from(sim.store.events, ([id, record]) => [
      id,
      { id, account: record.account, created: record.event.created, record },
    ]),
  );
}

/** `GET /v1/events/{id}` */
export function retrieveEvent(call: Call): Outcome {
  return { body: { ...ownRecord(eventsOf(call), call, 'event').record.event } };
}

/** `GET /v1/events`, optionally of one `type`. */
export function listEvents(call: Call): Outcome {
  const type = optionalText(call.params, 'type');
  return listRecords(
    call,
    eventsOf(call),
    'event',
    ({ record }) => ({ ...record.event }),
    ({ record }) => type === undefined || record.event.type === type,
  );
}
