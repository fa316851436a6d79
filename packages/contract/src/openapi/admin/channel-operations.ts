/** Payment channels. */
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
    description: 'Keys of the provider go in and never come out.',
    body: titled('NewChannel', NewChannel),
    answer: channel,
    statuses: [201],
  }),
  read({
    id: 'readChannel',
    path: '/channels/{payment_no}',
    summary: 'Read a payment channel',
    description: 'Of its keys only whether they are set.',
    answer: channel,
  }),
  change({
    id: 'changeChannel',
    method: 'patch',
    path: '/channels/{payment_no}',
    summary: 'Change a payment channel',
    description: 'What is left out stays; a list of fees replaces the whole list.',
    body: titled('ChannelChange', ChannelChange),
    answer: channel,
  }),
  change({
    id: 'setDebugGrants',
    method: 'put',
    path: '/channels/{payment_no}/debug-grants',
    summary: 'Say who may use a test channel',
    description: 'Replaces both lists. A payment needs the merchant on one and the buyer on the other.',
    body: titled('DebugGrants', DebugGrants),
    answer: channel,
  }),
  change({
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/channels/{payment_no}/webhook-secret-rotation',
    summary: 'Replace the secret that the provider signs with',
    description: 'The old one counts for 24 hours more.',
    body: titled('SecretRotation', SecretRotation),
    answer: channel,
  }),
];
