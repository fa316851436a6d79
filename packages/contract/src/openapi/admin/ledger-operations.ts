/** The books. */
import Type from 'typebox';
import { LedgerAccount, LedgerEntry, VerificationAnswer } from '../../admin/ledger.ts';
import { query } from '../parameters.ts';
import { list, read, titled } from './call.ts';
import type { Operation } from '../operation.ts';

const book = query('book', 'A merchant’s number, or `platform`, which is the default.', Type.String());

export const ledgerOperations: readonly Operation[] = [
  read({
    id: 'verifyLedger',
    path: '/ledger/verification',
    summary: 'Verify the books',
    description: 'Adds up everything that was ever posted: it takes its time on large books.',
    answer: titled('Verification', VerificationAnswer),
  }),
  list({
    id: 'listLedgerAccounts',
    path: '/ledger/accounts',
    summary: 'List the accounts of a book',
    description:
      'With what they hold, summed from the transfers of the book: those of a busy merchant take a moment. Accounts of ' +
      'one order, withdrawal or case that hold nothing any more are left out.',
    query: [book],
    item: titled('LedgerAccount', LedgerAccount),
  }),
  list({
    id: 'listLedgerEntries',
    path: '/ledger/entries',
    summary: 'List the transfers of a book',
    description: 'By subject, backwards: orders come newest first.',
    query: [
      book,
      query('account', 'Only those from or to this account.', Type.String()),
      query('subject', 'Only those about this order or operation.', Type.String()),
    ],
    item: titled('LedgerEntry', LedgerEntry),
  }),
];
