import Type from 'typebox';
import { NamedOrders, NamedOrdersRequest } from '../../console/reconciliation.ts';
import { ConsoleHome, Releases } from '../../console/home.ts';
import {
  MemberChange,
  MemberRemoved,
  MerchantMember,
  MerchantMemberList,
  NewMember,
} from '../../console/merchant.ts';
import { limited, withBody } from '../common-errors.ts';
import { consoleBase, consoleCall, consoleWrite, merchantNoParameter } from './call.ts';
import { query } from '../parameters.ts';
import { invitationLimit } from '../limits.ts';
import type { Operation, Parameter } from '../operation.ts';

const at = (path: string) => ({ below: 'base_url', path: `${consoleBase}${path}` }) as const;
const security = { by: 'session_cookie' } as const;

const userIdParameter: Parameter = {
  name: 'user_id',
  in: 'path',
  required: true,
  description: 'One of the merchant’s people.',
  schema: Type.String(),
  example: '0190c1a0-0000-7000-8000-00000000000c',
};

const timeZoneParameter = query(
  'time_zone',
  'The zone whose days count, by its name in the IANA database; UTC unless said otherwise.',
  Type.String(),
);

/** How business goes, and who works for a merchant. */
export const consolePeopleOperations: readonly Operation[] = [
  {
    id: 'readHome',
    tag: 'Console',
    method: 'get',
    place: at('/home'),
    summary: 'Read how business goes',
    description:
      'Volume, orders and conversion of today, the month and the last thirty days; what waits; what is left to set up.',
    security,
    parameters: [merchantNoParameter, timeZoneParameter],
    successes: [{ status: 200, description: 'The figures.', schemas: [ConsoleHome] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'readReleases',
    tag: 'Console',
    method: 'get',
    place: at('/wallet/releases'),
    summary: 'Read when holds end',
    description: 'What is under hold now, by the day on which it becomes available.',
    security,
    parameters: [merchantNoParameter, timeZoneParameter],
    successes: [{ status: 200, description: 'The calendar.', schemas: [Releases] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'findNamedOrders',
    tag: 'Console',
    method: 'post',
    place: at('/reconciliation'),
    summary: 'Find the orders that the merchant’s own records are about',
    description:
      'By reference, order number or payment event, up to a thousand of each. They are compared where the records are: ' +
      'by the console in the browser, by `reconcile` of the SDK in a program. Changes nothing, and is for everybody ' +
      'who works for the merchant.',
    security,
    parameters: [merchantNoParameter],
    body: { type: 'application/json', schema: NamedOrdersRequest },
    successes: [{ status: 200, description: 'The orders.', schemas: [NamedOrders] }],
    errors: [...consoleCall, ...withBody, 'cross_site_request'],
    limits: [],
  },
  {
    id: 'listMembers',
    tag: 'Console',
    method: 'get',
    place: at('/people'),
    summary: 'List the people who work for the merchant',
    description: 'Whoever holds it first, then at most 100 others.',
    security,
    parameters: [merchantNoParameter],
    successes: [{ status: 200, description: 'All of them.', schemas: [MerchantMemberList] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'addMember',
    tag: 'Console',
    method: 'post',
    place: at('/people'),
    summary: 'Let a person work for the merchant',
    description: 'The person must have an account under this address already. For owners.',
    security,
    parameters: [merchantNoParameter],
    body: { type: 'application/json', schema: NewMember },
    successes: [{ status: 201, description: 'Added.', schemas: [MerchantMember] }],
    errors: [...consoleWrite, ...withBody, ...limited, 'already_exists'],
    limits: [invitationLimit],
  },
  {
    id: 'changeMember',
    tag: 'Console',
    method: 'patch',
    place: at('/people/{user_id}'),
    summary: 'Give a person another role',
    description: 'At once. Whoever holds the merchant stays its owner. For owners.',
    security,
    parameters: [merchantNoParameter, userIdParameter],
    body: { type: 'application/json', schema: MemberChange },
    successes: [{ status: 200, description: 'Changed.', schemas: [MerchantMember] }],
    errors: [...consoleWrite, ...withBody, 'owner_required'],
    limits: [],
  },
  {
    id: 'removeMember',
    tag: 'Console',
    method: 'delete',
    place: at('/people/{user_id}'),
    summary: 'Let a person work for the merchant no more',
    description: 'At once. Whoever holds the merchant stays. For owners.',
    security,
    parameters: [merchantNoParameter, userIdParameter],
    successes: [{ status: 200, description: 'Removed.', schemas: [MemberRemoved] }],
    errors: [...consoleWrite, 'owner_required'],
    limits: [],
  },
];
