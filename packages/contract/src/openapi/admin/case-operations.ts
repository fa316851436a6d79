/** The administration’s calls about cases. */
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
    summary: 'List cases that an administrator must decide',
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
    description: 'The case with the provider’s answer and the actions that can resolve it now.',
    answer: titled('CaseDetail', CaseDetailAnswer),
  }),
  change({
    id: 'resolveCase',
    method: 'post',
    path: '/cases/{case_id}/resolution',
    summary: 'Resolve a case',
    description: 'The possible actions depend on the case. Any other action is rejected.',
    body: titled('ResolutionOfCase', ResolutionOfCase),
    answer: paymentCase,
    mayWait: true,
    errors: ['payment_conflict'],
  }),
];
