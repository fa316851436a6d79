/** Cases. */
import { CaseAnswer, CaseDetailAnswer, caseKinds, caseStates, ResolutionOfCase } from '../../admin/case.ts';
import { OneOf } from '../../scalars.ts';
import { query } from '../parameters.ts';
import { change, list, read, titled } from './call.ts';
import type { Operation } from '../operation.ts';

const paymentCase = titled('PaymentCase', CaseAnswer);

export const caseOperations: readonly Operation[] = [
  list({
    id: 'listCases',
    path: '/cases',
    summary: 'List cases that a person has to look at',
    query: [
      query('state', 'Only those in this state.', OneOf(caseStates, 'A state.')),
      query('kind', 'Only those of this kind.', OneOf(caseKinds, 'A kind.')),
    ],
    item: paymentCase,
  }),
  read({
    id: 'readCase',
    path: '/cases/{case_id}',
    summary: 'Read a case',
    description: 'With what the provider said, and what it can be resolved by now.',
    answer: titled('CaseDetail', CaseDetailAnswer),
  }),
  change({
    id: 'resolveCase',
    method: 'post',
    path: '/cases/{case_id}/resolution',
    summary: 'Resolve a case',
    description: 'What a case can be resolved by depends on what it holds; any other action is refused.',
    body: titled('ResolutionOfCase', ResolutionOfCase),
    answer: paymentCase,
    errors: ['already_decided', 'payment_conflict'],
  }),
];
