import { ConsoleCurrencies, ConsoleWallet, walletAccounts, WalletStatement } from '../../console/wallet.ts';
import { OwnMerchantList } from '../../console/merchant.ts';
import { ConsoleOrderDetail, ConsoleOrderPage, OrderCount } from '../../console/order.ts';
import { OneOf, OrderNo } from '../../scalars.ts';
import { anyCall } from '../common-errors.ts';
import { consoleBase, consoleCall, merchantNoParameter } from './call.ts';
import { statementLanguage } from './statement-operations.ts';
import { pageParameters, query, timeParameters, orderFilters, orderSort } from '../parameters.ts';
import type { Operation, Parameter } from '../operation.ts';

const at = (path: string) => ({ below: 'base_url', path }) as const;

const security = { by: 'session_cookie' } as const;

export const orderNoParameter: Parameter = {
  name: 'order_no',
  in: 'path',
  required: true,
  description: 'An order of the merchant.',
  schema: OrderNo,
  example: 'mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
};

/** The console’s calls about collection orders and the wallet. */
export const consoleOrderOperations: readonly Operation[] = [
  {
    id: 'listOwnMerchants',
    tag: 'Console',
    method: 'get',
    place: at('/console/v1/merchants'),
    summary: 'List the merchants of the signed-in person',
    description: 'The merchants that the person owns or works for, at most 200, each with the person’s role.',
    security,
    successes: [{ status: 200, description: 'The merchants.', schemas: [OwnMerchantList] }],
    errors: [...anyCall, 'authentication_required', 'second_factor_setup_required'],
    limits: [],
  },
  {
    id: 'listConsoleOrders',
    tag: 'Console',
    method: 'get',
    place: at(`${consoleBase}/collection-orders`),
    summary: 'List collection orders',
    description:
      'The orders that match the search and the filters. A call looks at 50,000 orders at most, so a page of a long ' +
      'list can be short or empty and still have a `next_cursor`.',
    security,
    parameters: [merchantNoParameter, ...orderFilters, orderSort, ...pageParameters],
    successes: [{ status: 200, description: 'A page.', schemas: [ConsoleOrderPage] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'countConsoleOrders',
    tag: 'Console',
    method: 'get',
    place: at(`${consoleBase}/collection-order-count`),
    summary: 'Count collection orders',
    description: 'The number of orders that match the search and the filters: exact up to 10,000.',
    security,
    parameters: [merchantNoParameter, ...orderFilters],
    successes: [{ status: 200, description: 'The number.', schemas: [OrderCount] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'readConsoleOrder',
    tag: 'Console',
    method: 'get',
    place: at(`${consoleBase}/collection-orders/{order_no}`),
    summary: 'Read a collection order with its full history',
    description:
      'Amounts, the locked quote, the timeline, attempts, wallet lines and notifications. From the books it shows ' +
      'only movements on the merchant’s own accounts.',
    security,
    parameters: [merchantNoParameter, orderNoParameter],
    successes: [{ status: 200, description: 'The order.', schemas: [ConsoleOrderDetail] }],
    errors: [...consoleCall, 'payment_not_found'],
    limits: [],
  },
  {
    id: 'listConsoleCurrencies',
    tag: 'Console',
    method: 'get',
    place: at(`${consoleBase}/currencies`),
    summary: 'List the currencies',
    description: 'The currencies that orders can be made in, with today’s rates.',
    security,
    parameters: [merchantNoParameter],
    successes: [{ status: 200, description: 'The currencies.', schemas: [ConsoleCurrencies] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'readConsoleWallet',
    tag: 'Console',
    method: 'get',
    place: at(`${consoleBase}/wallet`),
    summary: 'Read the wallet',
    description: 'The balance of each of the merchant’s accounts.',
    security,
    parameters: [merchantNoParameter],
    successes: [{ status: 200, description: 'The balances.', schemas: [ConsoleWallet] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'readWalletStatement',
    tag: 'Console',
    method: 'get',
    place: at(`${consoleBase}/wallet/statement`),
    summary: 'Read the statement of the wallet',
    description: 'Every movement on the merchant’s own accounts, newest first.',
    security,
    parameters: [
      merchantNoParameter,
      query('account', 'Only movements on this account.', OneOf(walletAccounts, 'An account.')),
      ...timeParameters('booked'),
      statementLanguage,
      ...pageParameters,
    ],
    successes: [{ status: 200, description: 'A page.', schemas: [WalletStatement] }],
    errors: consoleCall,
    limits: [],
  },
];
