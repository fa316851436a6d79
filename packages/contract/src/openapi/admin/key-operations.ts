/** The administration’s calls about named administration keys. */
import { AdminKeyAnswer, AdminKeyRevocation, NewAdminKey } from '../../admin/admin-key.ts';
import { change, list, titled } from './call.ts';
import type { Operation } from '../operation.ts';

const key = titled('AdminKey', AdminKeyAnswer);

export const keyOperations: readonly Operation[] = [
  list({
    id: 'listAdminKeys',
    path: '/keys',
    summary: 'List named administration keys',
    description: 'Newest first, also those that are revoked or expired.',
    item: key,
  }),
  change({
    id: 'createAdminKey',
    method: 'post',
    path: '/keys',
    summary: 'Create an administration key',
    description:
      'For a program, with the role that it needs. Only this answer contains the key. With `allowed_cidrs`, the key ' +
      'is refused from every other address, as if it were unknown.',
    body: titled('NewAdminKey', NewAdminKey),
    answer: key,
    statuses: [201],
  }),
  change({
    id: 'revokeAdminKey',
    method: 'delete',
    path: '/keys/{key_id}',
    summary: 'Revoke an administration key',
    description:
      'It is refused at once, in every process, and so are the keys that were made with it, unless `children` is false. Writes of these keys that wait for approval are rejected.',
    body: titled('AdminKeyRevocation', AdminKeyRevocation),
    answer: key,
  }),
];
