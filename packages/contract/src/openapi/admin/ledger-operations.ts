/** The administration’s calls that verify and read the books. */
import Type from 'typebox';
import {
  LedgerAccount,
  LedgerEntry,
  OwedAnswer,
  VerificationAnswer,
  VerificationsAnswer,
} from '../../admin/ledger.ts';
import { ProviderReconciliation } from '../../admin/reconciliation.ts';
import { query } from '../parameters.ts';
import { list, read, titled } from './call.ts';
import type { Operation } from '../operation.ts';

const book = query('book', 'A merchant’s number, or `platform`. Defaults to `platform`.', Type.String());

export const ledgerOperations: readonly Operation[] = [
  read({
    id: 'verifyLedger',
    path: '/ledger/verification',
    summary: 'Verify the books',
    description: 'Checks everything and keeps the result. This takes long on large books.',
    answer: titled('Verification', VerificationAnswer),
  }),
  read({
    id: 'listVerifications',
    path: '/ledger/verifications',
    summary: 'Read the kept verifications',
    description:
      'A worker checks the new rows every hour, and everything every night. While a finding is open, the overview has the ' +
      'alarm `books_differ`.',
    answer: titled('Verifications', VerificationsAnswer),
  }),
  list({
    id: 'listProviderReconciliations',
    path: '/provider-reconciliations',
    summary: 'List the comparisons with the card providers',
    description:
      'Newest first. A worker compares each enabled card channel every night; `paydesk reconcile-provider` does so at ' +
      'any time. While the latest night of a channel has differences, or a later comparison has, the overview has the alarm ' +
      '`provider_differs`. A later comparison of all of its time that finds none ends it.',
    item: titled('ProviderReconciliation', ProviderReconciliation),
  }),
  read({
    id: 'readOwed',
    path: '/ledger/owed',
    summary: 'Read what the platform owes',
    description: 'What all merchants and people could be paid, and what merchants owe, in PTK (D-504).',
    answer: titled('Owed', OwedAnswer),
  }),
  list({
    id: 'listLedgerAccounts',
    path: '/ledger/accounts',
    summary: 'List the accounts of a book',
    description:
      'The accounts with their balances, summed from the transfers of the book. This takes a moment for a busy ' +
      'merchant. Accounts of a single order, withdrawal or case are omitted if their balance is zero.',
    query: [book],
    item: titled('LedgerAccount', LedgerAccount),
    errors: ['not_found'],
  }),
  list({
    id: 'listLedgerEntries',
    path: '/ledger/entries',
    summary: 'List the transfers of a book',
    description: 'Ordered by subject, descending: newest orders first.',
    query: [
      book,
      query('account', 'Only those from or to this account.', Type.String()),
      query('subject', 'Only those about this order or operation.', Type.String()),
    ],
    item: titled('LedgerEntry', LedgerEntry),
    errors: ['not_found'],
  }),
];
