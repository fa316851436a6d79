import Type from 'typebox';
import { NamedOrders, NamedOrdersRequest } from '../../console/reconciliation.ts';
import { ConsoleHome, ConsoleSales, Releases } from '../../console/home.ts';
import {
  InvitationWithdrawn,
  MemberChange,
  MemberInvitation,
  MemberRemoved,
  MerchantMember,
  MerchantMemberList,
  NewMember,
} from '../../console/merchant.ts';
import { limited, withBody } from '../common-errors.ts';
import { consoleBase, consoleCall, consoleWrite, merchantNoParameter } from './call.ts';
import { query } from '../parameters.ts';
import { invitationLimit, reconciliationLimit } from '../rate-limits.ts';
import type { Operation, Parameter } from '../operation.ts';

const at = (path: string) => ({ below: 'base_url', path: `${consoleBase}${path}` }) as const;
const security = { by: 'session_cookie' } as const;

const userIdParameter: Parameter = {
  name: 'user_id',
  in: 'path',
  required: true,
  description: 'A person who works for the merchant.',
  schema: Type.String(),
  example: '0190c1a0-0000-7000-8000-00000000000c',
};

const invitationIdParameter: Parameter = {
  name: 'invitation_id',
  in: 'path',
  required: true,
  description: 'An invitation that waits.',
  schema: Type.String(),
  example: 'iv_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
};

const timeZoneParameter = query(
  'time_zone',
  'The time zone of the days, as an IANA name; UTC if absent.',
  Type.String(),
);

const dayParameter = (name: string, description: string): Parameter =>
  query(name, description, Type.String({ format: 'date' }));

/** The console’s calls about the home page, reconciliation, and the people who work for the merchant. */
export const consolePeopleOperations: readonly Operation[] = [
  {
    id: 'readHome',
    tag: 'Console',
    method: 'get',
    place: at('/home'),
    summary: 'Read the figures of the home page',
    description: 'Volume and orders of today and of this month, waiting work, and the remaining setup steps.',
    security,
    parameters: [merchantNoParameter, timeZoneParameter],
    successes: [{ status: 200, description: 'The figures.', schemas: [ConsoleHome] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'readSales',
    tag: 'Console',
    method: 'get',
    place: at('/sales'),
    summary: 'Read the sales of a range of days',
    description:
      'Volume, conversion and the steps from creation to payment, beside the same number of days before; day by day; ' +
      'and by payment method with the reasons why orders were not paid.',
    security,
    parameters: [
      merchantNoParameter,
      dayParameter('from', 'The first day. The last thirty days if both are absent.'),
      dayParameter('until', 'The last day, at most 366 days in all.'),
      timeZoneParameter,
    ],
    successes: [{ status: 200, description: 'The sales.', schemas: [ConsoleSales] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'readReleases',
    tag: 'Console',
    method: 'get',
    place: at('/wallet/releases'),
    summary: 'Read the release calendar',
    description: 'The proceeds under hold, by the day when they become available.',
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
    summary: 'Find the orders of the merchant’s own records',
    description:
      'Finds orders by reference, order number or payment event, up to a thousand of each. The caller compares them ' +
      'with its records: the console in the browser, a program with `reconcile` of the SDK. Every role can use this ' +
      'call; it changes nothing.',
    security,
    parameters: [merchantNoParameter],
    body: { type: 'application/json', schema: NamedOrdersRequest },
    successes: [{ status: 200, description: 'The orders.', schemas: [NamedOrders] }],
    errors: [...consoleCall, ...withBody, 'cross_site_request', 'rate_limited', 'rate_limit_unavailable'],
    limits: [reconciliationLimit],
  },
  {
    id: 'listMembers',
    tag: 'Console',
    method: 'get',
    place: at('/people'),
    summary: 'List the people who work for the merchant',
    description: 'The holder first, then at most 100 others.',
    security,
    parameters: [merchantNoParameter],
    successes: [{ status: 200, description: 'The people.', schemas: [MerchantMemberList] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'addMember',
    tag: 'Console',
    method: 'post',
    place: at('/people'),
    summary: 'Invite a person to work for the merchant',
    description:
      'Sends a link to the address, which works once, for seven days, and only for a person who is signed in with this ' +
      'address. The answer is the same whether the address has an account. Another invitation of the address replaces ' +
      'the one before. If the service sends no mail, a person with an account is added at once. Only for owners.',
    security,
    parameters: [merchantNoParameter],
    body: { type: 'application/json', schema: NewMember },
    successes: [{ status: 201, description: 'Invited.', schemas: [MemberInvitation] }],
    errors: [...consoleWrite, ...withBody, ...limited, 'already_exists'],
    limits: [invitationLimit],
  },
  {
    id: 'withdrawInvitation',
    tag: 'Console',
    method: 'delete',
    place: at('/people/invitations/{invitation_id}'),
    summary: 'Withdraw an invitation',
    description: 'Its link ends immediately. Only for owners.',
    security,
    parameters: [merchantNoParameter, invitationIdParameter],
    successes: [{ status: 200, description: 'Withdrawn.', schemas: [InvitationWithdrawn] }],
    errors: consoleWrite,
    limits: [],
  },
  {
    id: 'changeMember',
    tag: 'Console',
    method: 'patch',
    place: at('/people/{user_id}'),
    summary: 'Change a person’s role',
    description: 'Takes effect immediately. The holder of the merchant stays an owner. Only for owners.',
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
    summary: 'Remove a person from the merchant',
    description: 'Takes effect immediately. The holder of the merchant cannot be removed. Only for owners.',
    security,
    parameters: [merchantNoParameter, userIdParameter],
    successes: [{ status: 200, description: 'Removed.', schemas: [MemberRemoved] }],
    errors: [...consoleWrite, 'owner_required'],
    limits: [],
  },
];
