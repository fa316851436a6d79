/** The administration’s calls about refunds and complaints. */
import {
  ComplaintAnswer,
  ComplaintRequest,
  DecisionOnComplaint,
  ListedComplaint,
  ListedRefund,
  RefundAnswer,
  RefundRequest,
} from '../../admin/loss.ts';
import { OneOf } from '../../scalars.ts';
import { query } from '../parameters.ts';
import { change, list, titled } from './call.ts';
import type { Operation } from '../operation.ts';

const refund = titled('Refund', RefundAnswer);
const complaint = titled('Complaint', ComplaintAnswer);
const inStatus = (values: readonly string[]) => [
  query('status', 'Only those in this status.', OneOf(values, 'A status.')),
];

/** The two calls that take a payment back. They are the same for both kinds of order. */
const takeBackOperations = (kind: 'collection' | 'catalog', name: string): readonly Operation[] => [
  change({
    id: `request${name}Refund`,
    method: 'post',
    path: `/${kind}-orders/{order_no}/refunds`,
    summary: `Refund a ${kind} order in full`,
    body: titled('RefundRequest', RefundRequest),
    answer: refund,
    statuses: [201],
    mayWait: true,
    errors: ['payment_conflict'],
  }),
  change({
    id: `open${name}Complaint`,
    method: 'post',
    path: `/${kind}-orders/{order_no}/complaints`,
    summary: `Open a complaint about a ${kind} order`,
    description: 'Freezes the held proceeds of the order until the complaint is decided.',
    body: titled('ComplaintRequest', ComplaintRequest),
    answer: complaint,
    statuses: [201],
    errors: ['payment_conflict'],
  }),
];

export const lossOperations: readonly Operation[] = [
  ...takeBackOperations('collection', ''),
  ...takeBackOperations('catalog', 'Catalog'),
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
  change({
    id: 'decideComplaint',
    method: 'post',
    path: '/complaints/{complaint_id}/decision',
    summary: 'Dismiss or confirm a complaint',
    body: titled('DecisionOnComplaint', DecisionOnComplaint),
    answer: complaint,
    mayWait: true,
    errors: ['payment_conflict'],
  }),
];
