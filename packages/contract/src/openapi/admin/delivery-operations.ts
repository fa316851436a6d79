/** Notifications and webhooks: those that wait, and those that the service has given up. */
import Type from 'typebox';
import { FailedNotification, FailedWebhook, NotificationBacklogAnswer } from '../../admin/delivery.ts';
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
    summary: 'See which merchants have notifications waiting',
    description: 'Those that wait longest first.',
    query: [query('limit', 'How many merchants at most.', ListLimit)],
    answer: titled('NotificationBacklog', NotificationBacklogAnswer),
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
