/** The calls of the administration API, for the platform's screens, and the types of its answers. */
import type {
  AdminKeyAnswer,
  AdminOrder,
  ApprovalAnswer,
  AuditAnswer,
  CaseAnswer,
  CaseDetailAnswer,
  ChannelAnswer,
  ClientAnswer,
  ComplaintAnswer,
  CurrencyAnswer,
  DisputeAnswer,
  DisputeDetailAnswer,
  FailedNotification as FailedNotificationAnswer,
  FailedWebhook as FailedWebhookAnswer,
  MerchantAnswer,
  MerchantFiguresAnswer,
  LedgerAccount as LedgerAccountAnswer,
  OwedAnswer,
  LedgerEntry as LedgerEntryAnswer,
  ListedComplaint as ListedComplaintAnswer,
  ListedRefund as ListedRefundAnswer,
  MerchantWalletAnswer,
  OrderDetailAnswer,
  FirstStepsAnswer,
  OverviewAnswer,
  PayoutAnswer,
  RateAnswer,
  RefundAnswer,
  ScopeApplicationAnswer,
  SettingsAnswer,
  UserAnswer,
  UserWalletAnswer,
  VerificationAnswer,
  VerificationsAnswer,
  WithdrawalAnswer,
  WorkAnswer,
} from '@paydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import { callOf } from './call.ts';
import { type List, type ListPage, useList } from './list.ts';

export type Merchant = Static<typeof MerchantAnswer>;
export type MerchantWallet = Static<typeof MerchantWalletAnswer>;
export type MerchantFigures = Static<typeof MerchantFiguresAnswer>;
export type Person = Static<typeof UserAnswer>;
export type PersonWallet = Static<typeof UserWalletAnswer>;
export type Client = Static<typeof ClientAnswer>;
export type ScopeApplication = Static<typeof ScopeApplicationAnswer>;
export type Channel = Static<typeof ChannelAnswer>;
export type Currency = Static<typeof CurrencyAnswer>;
export type Rate = Static<typeof RateAnswer>;
export type AdminKey = Static<typeof AdminKeyAnswer>;
export type Approval = Static<typeof ApprovalAnswer>;
export type PlatformSettings = SettingsAnswer;
export type Withdrawal = Static<typeof WithdrawalAnswer>;
export type Refund = Static<typeof RefundAnswer>;
export type Complaint = Static<typeof ComplaintAnswer>;
export type ListedDispute = Static<typeof DisputeAnswer>;
export type Dispute = Static<typeof DisputeDetailAnswer>;
export type Payout = Static<typeof PayoutAnswer>;
export type PaymentCase = Static<typeof CaseAnswer>;
export type CaseDetail = Static<typeof CaseDetailAnswer>;
export type OrderDetail = Static<typeof OrderDetailAnswer>;
export type Verification = Static<typeof VerificationAnswer>;
export type Verifications = Static<typeof VerificationsAnswer>;
export type ListedOrder = AdminOrder;
export type ListedComplaint = Static<typeof ListedComplaintAnswer>;
export type ListedRefund = Static<typeof ListedRefundAnswer>;
export type LedgerAccount = Static<typeof LedgerAccountAnswer>;
export type Owed = OwedAnswer;
export type LedgerEntry = Static<typeof LedgerEntryAnswer>;
export type Work = WorkAnswer;
export type Overview = OverviewAnswer;
export type FirstSteps = FirstStepsAnswer;
export type Alarm = Overview['alarms'][number];
export type FailedNotification = FailedNotificationAnswer;
export type FailedWebhook = FailedWebhookAnswer;
export type AuditEntry = Static<typeof AuditAnswer>;

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * A call of the administration API; `path` is below `/admin/v1`.
 *
 * @throws ApiError
 */
export const adminCall = <T>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options: { query?: Query; body?: unknown; signal?: AbortSignal } = {},
): Promise<T> => callOf<T>(method, `/admin/v1${path}`, options);

/** The query of one thing that an administrator reads. */
export const adminQuery = <T>(path: string, query: Query = {}) =>
  queryOptions({
    queryKey: ['platform', path, query],
    queryFn: ({ signal }) => adminCall<T>('GET', path, { query, signal }),
  });

/** A list that an administrator reads, page by page. */
export const useAdminList = <T>(
  path: string,
  query: Query = {},
  options: { refetchInterval?: number } = {},
): List<T> =>
  useList<T>(
    ['platform', path, query],
    (page, signal) => adminCall<ListPage<T>>('GET', path, { query: { ...query, ...page }, signal }),
    options,
  );
