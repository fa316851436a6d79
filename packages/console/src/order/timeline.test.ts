import { complaintReasons } from '@paydesk/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadTexts } from '../texts/texts.ts';
import { momentsOf } from './timeline.ts';

beforeAll(() => loadTexts(['codes', 'order']));

type History = Parameters<typeof momentsOf>[0];
type Entry = History['timeline'][number];

const at = '2026-03-02T09:00:00.700Z';
const entry = (of: Partial<Entry>): Entry => ({
  ...{ at, kind: 'status', status: null, status_version: null },
  ...{ subject: null, outcome: null, provider_at: null, what: 'what happened', ...of },
});

const history = (timeline: readonly Entry[]): History =>
  ({
    order: { external_reference: 'INV-1' },
    attempts: [
      { attempt_id: 'at_1', seq: 1, provider: 'cardprov' },
      { attempt_id: 'at_2', seq: 2, provider: 'ptk' },
    ],
    complaints: [
      { complaint_id: 'cp_1', reason: 'not delivered' },
      { complaint_id: 'cp_bank', source: 'provider', reason: 'disputed at the provider' },
      { complaint_id: 'cp_part', source: 'provider', reason: complaintReasons.partial_refund },
    ],
    timeline,
  }) as unknown as History;

describe('D-494 an event of an order in words', () => {
  test.each<[Partial<Entry>, string, string?]>([
    [{ status: 'pending', status_version: 1 }, 'Created', 'Reference INV-1'],
    [{ status: 'paid', status_version: 2 }, 'Paid', 'Status version 2'],
    [{ status: 'review' }, 'In review'],
    [{ kind: 'attempt_started', subject: 'at_1' }, 'Attempt 1 started', 'Card'],
    [{ kind: 'attempt_started', subject: 'at_2' }, 'Attempt 2 started', 'PTK wallet'],
    [{ kind: 'attempt_paid', subject: 'at_1' }, 'Attempt 1 paid'],
    [{ kind: 'attempt_closed', subject: 'at_1' }, 'Attempt 1 closed'],
    [{ kind: 'hold_ended' }, 'Hold ended'],
    [{ kind: 'refund_requested', subject: 'rf_1' }, 'Refund requested'],
    [{ kind: 'refund_ended', outcome: 'succeeded' }, 'Refund: Succeeded'],
    [{ kind: 'complaint_opened', subject: 'cp_1' }, 'Dispute opened', 'not delivered'],
    [{ kind: 'complaint_opened', subject: 'cp_other' }, 'Dispute opened'],
    [{ kind: 'complaint_decided', outcome: 'dismissed' }, 'Dispute: Dismissed'],
    [{ kind: 'complaint_opened', subject: 'cp_bank' }, 'Dispute opened'],
    [{ kind: 'complaint_decided', subject: 'cp_bank', outcome: 'confirmed' }, 'Dispute: Lost'],
    [{ kind: 'complaint_decided', subject: 'cp_bank', outcome: 'dismissed' }, 'Dispute: Won'],
    [{ kind: 'complaint_decided', subject: 'cp_part', outcome: 'confirmed' }, 'Dispute: Accepted'],
    [{ kind: 'complaint_decided', subject: 'cp_1', outcome: 'confirmed' }, 'Dispute: Accepted'],
    [{ kind: 'archived', subject: 'mr_1-01.jsonl.gz' }, 'Webhooks moved to the archive', 'mr_1-01.jsonl.gz'],
    [{ kind: 'of_a_newer_service' } as unknown as Partial<Entry>, 'what happened'],
  ])('%o', (of, title, about) => {
    expect(momentsOf(history([entry(of)]))).toEqual([
      { title, at, ...(about === undefined ? {} : { about }) },
    ]);
  });
});

test('D-280 events stay in the order of the service, and the provider’s time is a detail', () => {
  const provider_at = '2026-03-02T09:00:00.000Z';
  const paid = entry({ kind: 'attempt_paid', subject: 'at_1', provider_at });
  const moments = momentsOf(history([entry({ status: 'pending', status_version: 1 }), paid]));
  expect(moments.map(({ title }) => title)).toEqual(['Created', 'Attempt 1 paid']);
  expect(moments[1]).toMatchObject({ at, provider_at });
});
