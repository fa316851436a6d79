/** The administration’s calls about waiting and failed notifications, and failed webhooks. */
import Type from 'typebox';
import {
  FailedNotification,
  FailedWebhook,
  FailingExportsAnswer,
  FailingReceiversAnswer,
  NotificationBacklogAnswer,
} from '../../admin/delivery.ts';
import { ListLimit } from '../../admin/scalars.ts';
import { FailedReplayed, ReplayFailed } from '../../console/notification.ts';
import { ReplayAccepted } from '../../notification.ts';
import { query } from '../parameters.ts';
import { change, list, read, titled } from './call.ts';
import type { Operation } from '../operation.ts';

export const deliveryOperations: readonly Operation[] = [
  read({
    id: 'readNotificationBacklog',
    path: '/notification-backlog',
    summary: 'List merchants with waiting notifications',
    description: 'Longest waiting first.',
    query: [query('limit', 'Maximum number of merchants.', ListLimit)],
    answer: titled('NotificationBacklog', NotificationBacklogAnswer),
  }),
  read({
    id: 'readFailingReceivers',
    path: '/failing-receivers',
    summary: 'List receivers of notifications that fail',
    description:
      'Receivers that failed at least twice in a row and in the last three days, the longest failing first; at most 100.',
    answer: titled('FailingReceivers', FailingReceiversAnswer),
  }),
  read({
    id: 'readFailingExports',
    path: '/failing-exports',
    summary: 'List scheduled exports that fail',
    description:
      'Scheduled exports of statements that failed at least twice in a row and are not paused, the longest failing first; at most 100.',
    answer: titled('FailingExports', FailingExportsAnswer),
  }),
  list({
    id: 'listFailedNotifications',
    path: '/failed-notifications',
    summary: 'List failed notifications',
    description: 'Newest first.',
    query: [query('merchant_no', 'Only those of this merchant.', Type.String())],
    item: titled('FailedNotification', FailedNotification),
  }),
  change({
    id: 'retryNotificationOfMerchant',
    method: 'post',
    path: '/merchants/{merchant_no}/notifications/{event_id}/retry',
    summary: 'Replay a notification',
    description: 'Sends the same body to the same address once more. The request body is ignored.',
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
    summary: 'List failed webhooks of card providers',
    description: 'Latest first. Reconciliation finds the payments without these webhooks, but later.',
    item: titled('FailedWebhook', FailedWebhook),
  }),
  change({
    id: 'retryWebhook',
    method: 'post',
    path: '/channels/{payment_no}/webhooks/{provider_event_id}/retry',
    summary: 'Retry a webhook',
    description: 'Processes the webhook once more. The request body is ignored.',
    answer: ReplayAccepted,
    statuses: [202],
  }),
];
