/** What waits, and how the platform does. */
import Type from 'typebox';
import { OverviewAnswer, WorkAnswer } from '../../admin/overview.ts';
import { query } from '../parameters.ts';
import { read, titled } from './call.ts';
import type { Operation } from '../operation.ts';

export const overviewOperations: readonly Operation[] = [
  read({
    id: 'readWork',
    path: '/work',
    summary: 'See what waits',
    description: 'For background work, queue by queue, and for a person to decide.',
    answer: titled('Work', WorkAnswer),
  }),
  read({
    id: 'readOverview',
    path: '/overview',
    summary: 'See how the platform does',
    description:
      'What all merchants together have taken, a minute old at most; what waits; and what somebody should see to.',
    query: [query('time_zone', 'Whose days they are; UTC if absent.', Type.String())],
    answer: titled('Overview', OverviewAnswer),
  }),
];
