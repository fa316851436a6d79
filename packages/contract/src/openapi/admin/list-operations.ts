import Type from 'typebox';
import * as admin from '../../admin.ts';
import {
  AdminOrder,
  CaseDetailAnswer,
  FailedNotification,
  FailedWebhook,
  LedgerAccount,
  LedgerEntry,
  ListedComplaint,
  ListedRefund,
  OverviewAnswer,
  WorkAnswer,
} from '../../admin-desk.ts';
import { FailedReplayed, ReplayFailed } from '../../console/notification.ts';
import { ReplayAccepted } from '../../notification.ts';
import { OneOf } from '../../scalars.ts';
import { change, list, read, titled } from './call.ts';
import { query } from '../console/call.ts';
import { orderFilters } from '../console/order-operations.ts';
import type { Operation } from '../operation.ts';

const inStatus = (values: readonly string[]) => [
  query('status', 'Only those in this status.', OneOf(values, 'A status.')),
];
const book = query('book', 'A merchant’s number, or `platform`, which is the default.', Type.String());

/** What administrators list across all merchants, and read one by one. */
export const adminListOperations: readonly Operation[] = [
  list({
    id: 'listAllOrders',
    path: '/collection-orders',
    summary: 'List collection orders of all merchants',
    description:
      'Newest first: those of one merchant by time, those of all by number. `from` and `to` narrow the orders of one ' +
      'merchant, and demand `merchant_no`.',
    query: [query('merchant_no', 'Only those of this merchant.', Type.String()), ...orderFilters],
    item: titled('AdminOrder', AdminOrder),
  }),
  list({
    id: 'listRefunds',
    path: '/refunds',
    summary: 'List refunds',
    description: 'Newest first.',
    query: inStatus(['pending', 'succeeded', 'failed', 'partial']),
    item: titled('ListedRefund', ListedRefund),
  }),
  list({
    id: 'listComplaints',
    path: '/complaints',
    summary: 'List complaints and disputes',
    description: 'Newest first.',
    query: inStatus(['open', 'dismissed', 'confirmed', 'closed']),
    item: titled('ListedComplaint', ListedComplaint),
  }),
  read({
    id: 'readCase',
    path: '/cases/{case_id}',
    summary: 'Read a case',
    description: 'With what the provider said, and what it can be resolved by now.',
    answer: titled('CaseDetail', CaseDetailAnswer),
  }),
  read({
    id: 'readMerchant',
    path: '/merchants/{merchant_no}',
    summary: 'Read a merchant',
    answer: titled('Merchant', admin.MerchantAnswer),
  }),
  read({
    id: 'readUser',
    path: '/users/{user_id}',
    summary: 'Read an account',
    answer: titled('User', admin.UserAnswer),
  }),
  read({
    id: 'readChannel',
    path: '/channels/{payment_no}',
    summary: 'Read a payment channel',
    description: 'Of its keys only whether they are set.',
    answer: titled('Channel', admin.ChannelAnswer),
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
  list({
    id: 'listFailedNotifications',
    path: '/failed-notifications',
    summary: 'List notifications that were given up',
    description: 'Newest first.',
    query: [query('merchant_no', 'Only those of this merchant.', Type.String())],
    item: titled('FailedNotification', FailedNotification),
  }),
  change({
    id: 'retryNotificationOfMerchant',
    method: 'post',
    path: '/merchants/{merchant_no}/notifications/{event_id}/retry',
    summary: 'Replay a notification',
    description: 'One attempt more: the same body to the same address. No body is needed, and none is read.',
    answer: ReplayAccepted,
    statuses: [202],
  }),
  change({
    id: 'retryFailedNotificationsOfMerchant',
    method: 'post',
    path: '/merchants/{merchant_no}/notifications/retry-failed',
    summary: 'Replay all failed notifications of a merchant since a time',
    body: ReplayFailed,
    answer: FailedReplayed,
    statuses: [202],
  }),
  list({
    id: 'listFailedWebhooks',
    path: '/failed-webhooks',
    summary: 'List webhooks of card providers that were given up',
    description: 'The latest first. Reconciliation finds payments without them, if later.',
    item: titled('FailedWebhook', FailedWebhook),
  }),
  change({
    id: 'retryWebhook',
    method: 'post',
    path: '/channels/{payment_no}/webhooks/{provider_event_id}/retry',
    summary: 'Follow a webhook once more',
    description: 'One try more. No body is needed, and none is read.',
    answer: ReplayAccepted,
    statuses: [202],
  }),
];
