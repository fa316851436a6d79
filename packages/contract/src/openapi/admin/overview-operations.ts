/** The administration’s calls that read waiting work and the overview of the platform. */
import Type from 'typebox';
import { FirstStepsAnswer, OverviewAnswer, WorkAnswer } from '../../admin/overview.ts';
import { Found } from '../../console/activity.ts';
import { query } from '../parameters.ts';
import { read, titled } from './call.ts';
import type { Operation } from '../operation.ts';

export const overviewOperations: readonly Operation[] = [
  read({
    id: 'searchPlatform',
    path: '/search',
    summary: 'Search orders, merchants, people, products, events and API requests',
    description:
      'Orders of all merchants as in a merchant’s own search; whole numbers of catalog orders; any part of a merchant’s ' +
      'name; the beginning of a person’s name or address; whole numbers of products, and any part of a name among ' +
      '10000 products; whole ids of notification events and API requests. At most six of each kind.',
    query: [{ ...query('q', 'The text, 2 to 200 characters.', Type.String()), required: true }],
    answer: Found,
  }),
  read({
    id: 'readWork',
    path: '/work',
    summary: 'Read waiting work',
    description: 'Work for background jobs, by queue, and decisions for administrators.',
    answer: titled('Work', WorkAnswer),
  }),
  read({
    id: 'readFirstSteps',
    path: '/first-steps',
    summary: 'Read the first steps',
    description:
      'What a new platform still needs before a buyer can pay, in order. A step says with which error new orders are ' +
      'refused until it is done. The step `webhook` is done when a webhook with a valid signature has come from each ' +
      'enabled live card channel: send a test event from the provider.',
    answer: titled('FirstSteps', FirstStepsAnswer),
  }),
  read({
    id: 'readOverview',
    path: '/overview',
    summary: 'Read the overview of the platform',
    description: 'Figures of all merchants together, at most a minute old; waiting work; and alarms.',
    query: [query('time_zone', 'The time zone of the days; UTC if absent.', Type.String())],
    answer: titled('Overview', OverviewAnswer),
  }),
];
