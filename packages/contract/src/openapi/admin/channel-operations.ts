/** The administration’s calls about payment channels. */
import {
  ChannelAnswer,
  ChannelChange,
  DebugGrants,
  NewChannel,
  SecretRotation,
} from '../../admin/channel.ts';
import { change, list, read, titled } from './call.ts';
import type { Operation } from '../operation.ts';

const channel = titled('Channel', ChannelAnswer);

export const channelOperations: readonly Operation[] = [
  list({ id: 'listChannels', path: '/channels', summary: 'List payment channels', item: channel }),
  change({
    id: 'createChannel',
    method: 'post',
    path: '/channels',
    summary: 'Create a payment channel',
    description: 'The provider’s keys are write-only: no answer contains them.',
    body: titled('NewChannel', NewChannel),
    answer: channel,
    statuses: [201],
  }),
  read({
    id: 'readChannel',
    path: '/channels/{payment_no}',
    summary: 'Read a payment channel',
    description: 'For the keys, the answer only says whether they are set.',
    answer: channel,
  }),
  change({
    id: 'changeChannel',
    method: 'patch',
    path: '/channels/{payment_no}',
    summary: 'Change a payment channel',
    description: 'Omitted members stay unchanged. A list of fees replaces the whole list.',
    body: titled('ChannelChange', ChannelChange),
    answer: channel,
  }),
  change({
    id: 'setDebugGrants',
    method: 'put',
    path: '/channels/{payment_no}/debug-grants',
    summary: 'Set who can use a test channel',
    description:
      'Replaces both lists. A payment requires the merchant to be on one list and the buyer on the other.',
    body: titled('DebugGrants', DebugGrants),
    answer: channel,
  }),
  change({
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/channels/{payment_no}/webhook-secret-rotation',
    summary: 'Rotate the webhook secret',
    description:
      'Replaces the secret that the provider signs webhooks with. The old secret stays valid for another 24 hours.',
    body: titled('SecretRotation', SecretRotation),
    answer: channel,
  }),
];
