/** The merchants of the person who is signed in, and what each role may change. */
import { queryOptions } from '@tanstack/react-query';
import { part } from './call.ts';
import { answerOf, api, type components } from './client.ts';

export type OwnMerchant = components['schemas']['OwnMerchant'];
export type ConsoleOrder = components['schemas']['ConsoleOrder'];
export type ConsoleOrderDetail = components['schemas']['ConsoleOrderDetail'];
/** The figures of the merchant console's first screen. */
export type Home = components['schemas']['ConsoleHome'];
/** The figures of a range of days. */
export type Sales = components['schemas']['ConsoleSales'];
export type WalletLine = components['schemas']['WalletLine'];
export type StatementLine = components['schemas']['StatementLine'];
export type WalletStatement = components['schemas']['WalletStatement'];
export type PaymentLink = components['schemas']['PaymentLink'];
export type StatementExport = components['schemas']['StatementExport'];
export type StatementExports = components['schemas']['StatementExports'];
export type StatementExportTerms = components['schemas']['StatementExportTerms'];
export type Role = OwnMerchant['role'];

/** The merchants that the signed-in person belongs to. */
export const ownMerchantsQuery = queryOptions({
  queryKey: ['merchants'],
  queryFn: ({ signal }) => answerOf(api.GET('/console/v1/merchants', { signal })),
  staleTime: 60_000,
});

/** What each role may change, as the service decides it. The screens follow this table; the service enforces it. */
const writers = {
  orders: ['owner', 'finance'],
  links: ['owner', 'finance'],
  exports: ['owner', 'finance'],
  notes: ['owner', 'finance', 'developer'],
  notifications: ['owner', 'developer'],
  clients: ['owner', 'developer'],
  products: ['owner', 'developer'],
  settings: ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export type Subject = keyof typeof writers;

export const mayWrite = (role: Role | undefined, subject: Subject): boolean =>
  role !== undefined && (writers[subject] as readonly Role[]).includes(role);

/** The path of something that belongs to a merchant. */
export const merchantPath = (merchant_no: string, path: string): string =>
  `/console/v1/merchants/${part(merchant_no)}${path}`;
