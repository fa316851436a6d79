/** Background jobs, the audit log and the test clock. */
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
    summary: 'Run one pass of a background job now',
    description: 'Safe beside the running workers. No body is needed, and none is read.',
    answer: titled('JobRun', JobAnswer),
  }),
  list({
    id: 'listAuditLog',
    path: '/audit-log',
    summary: 'Read the audit log',
    description: 'Newest first. With `target` it is the history of one thing, such as a rate.',
    query: [
      query('target', 'Only what was done to this: `rate:USD`, `order:mp_…`.', Type.String()),
      query('actor', 'Only what this one has done: `key`, or `user:` and an id.', Type.String()),
    ],
    item: titled('AuditEntry', AuditAnswer),
  }),
  read({
    id: 'readTestClock',
    path: '/test-clock',
    summary: 'Read the test clock',
    description: 'Only where the test clock is enabled.',
    answer: titled('TestClock', ClockAnswer),
  }),
  change({
    id: 'moveTestClock',
    method: 'put',
    path: '/test-clock',
    summary: 'Move the test clock forward',
    description: 'Only where the test clock is enabled.',
    body: titled('ClockMove', ClockMove),
    answer: titled('TestClock', ClockAnswer),
  }),
];
