/** The administration’s calls about background jobs, the audit log and the test clock. */
import Type from 'typebox';
import { AuditAnswer, ClockAnswer, ClockMove, JobAnswer } from '../../admin/maintenance.ts';
import { query } from '../parameters.ts';
import { change, list, read, titled } from './call.ts';
import type { Operation } from '../operation.ts';

export const maintenanceOperations: readonly Operation[] = [
  change({
    id: 'runJob',
    method: 'post',
    path: '/jobs/{name}/run',
    summary: 'Run a background job once',
    description:
      'Runs one pass now. It is safe while the workers run. The request body is ignored. The jobs: `sweep` (overdue orders), ' +
      '`reconcile` (payments, webhooks, refunds, disputes and cases at the provider), `deliver` (notifications), `release-holds`, ' +
      '`keep-sums`, `hand-out-codes`, `send-exports`, `seal` and `purge`.',
    answer: titled('JobRun', JobAnswer),
  }),
  list({
    id: 'listAuditLog',
    path: '/audit-log',
    summary: 'Read the audit log',
    description: 'Newest first. With `target`, the history of one object, for example a rate.',
    query: [
      query(
        'target',
        'Only entries about this object, for example `rate:USD` or `order:mp_…`.',
        Type.String(),
      ),
      query(
        'actor',
        'Only entries by this actor: `user:` or `key:` followed by an id, or `key` for the key of the environment.',
        Type.String(),
      ),
    ],
    item: titled('AuditEntry', AuditAnswer),
  }),
  read({
    id: 'readTestClock',
    path: '/test-clock',
    summary: 'Read the test clock',
    description: 'Without an enabled test clock, the answer is `not_found`.',
    answer: titled('TestClock', ClockAnswer),
    errors: ['not_found'],
  }),
  change({
    id: 'moveTestClock',
    method: 'put',
    path: '/test-clock',
    summary: 'Move the test clock forward',
    description: 'Without an enabled test clock, the answer is `not_found`.',
    body: titled('ClockMove', ClockMove),
    answer: titled('TestClock', ClockAnswer),
    errors: ['not_found'],
  }),
];
