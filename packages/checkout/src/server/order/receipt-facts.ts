/** What a receipt says: the same on the page and in the PDF. */
import type { MessageKey } from '../../texts/messages.ts';
import { isZero } from '../../model/money.ts';
import { previewedMethod } from '../../model/screen.ts';
import type { CheckoutMethod, CheckoutView } from '../../model/state.ts';
import { paidWithText } from '../../view/paid-with.tsx';
import { momentIn } from '../../view/ui.ts';
import { accountUi, type BaseContext, pageUi, type PageUi, shownAddress } from '../document.tsx';

/** The statuses that have a receipt. */
const statusKeys = {
  paid: 'receipt_paid',
  refunded: 'receipt_refunded',
  chargeback: 'receipt_chargeback',
} as const satisfies Record<string, MessageKey>;

/** An order with a confirmed payment. */
export type PaidView = CheckoutView & { status: keyof typeof statusKeys };

/** Whether an order has a receipt: only after a confirmed payment. */
export const hasReceipt = <View extends Pick<CheckoutView, 'status'>>(
  view: View,
): view is View & { status: keyof typeof statusKeys } => Object.hasOwn(statusKeys, view.status);

/** The method that was paid with; null where it is not known any more. */
export const paidMethod = (view: PaidView): CheckoutMethod | null =>
  view.attempt === null ? null : previewedMethod(view, null);

/** The amount that the buyer has paid; the invoice if the method is no longer known. */
export function paidTotal(view: PaidView): { amount: string; currency: string } {
  const method = paidMethod(view);
  return method === null
    ? { amount: view.amount, currency: view.currency }
    : { amount: method.payment_amount, currency: method.payment_currency };
}

/** Where buyers ask the merchant: its contact, as it wrote it, else its website. */
export const contactOf = ({ merchant: { contact, website_url } }: Pick<CheckoutView, 'merchant'>): string =>
  contact ?? website_url ?? '';

export interface ReceiptDetail {
  /** The provider's number of the payment; empty if there is none. */
  trade_no: string;
  /** The IANA time zone of the time of the payment; UTC where it is missing or unknown. */
  zone?: string | undefined;
}

/** The lines of a receipt with their labels, without those of which nothing is known. */
export function receiptFacts(
  view: PaidView,
  ui: PageUi,
  { trade_no, zone }: ReceiptDetail,
): [MessageKey, string][] {
  const { occurred_at } = view;
  const facts: [MessageKey, string][] = [
    ['receipt_status', ui.t(statusKeys[view.status])],
    ['paid_on', occurred_at == null ? '' : momentIn(ui.locale, occurred_at, zone)],
    ['paid_with', paidWithText(paidMethod(view), view.attempt)],
    ['amount_due', ui.money(view.amount, view.currency)],
    ['receipt_description', view.description ?? ''],
    ['reference', view.external_reference],
    ['order_number', view.order_no],
    ['receipt_trade_no', trade_no],
    ['receipt_contact', contactOf(view)],
  ];
  return facts.filter(([, value]) => value !== '');
}

/** A receipt in words, for a document that is no page. */
export interface ReceiptText {
  title: string;
  platform: string;
  /** The note on a test payment; null for real money. */
  test: string | null;
  merchant: string;
  total: { label: string; amount: string };
  facts: { label: string; value: string }[];
  /** Where people find help, such as `Help: help@pay.example`; null if the platform names no address. */
  help: string | null;
}

/** @returns null if the order has no receipt */
export function receiptText(
  view: CheckoutView,
  page: Pick<BaseContext, 'locale' | 'brand'>,
  detail: ReceiptDetail,
): ReceiptText | null {
  if (!hasReceipt(view)) return null;
  const ui = pageUi(page);
  const { amount, currency } = paidTotal(view);
  const fee = paidMethod(view)?.buyer_fee ?? '0';
  const feeFact = isZero(fee) ? [] : [{ label: ui.t('fee'), value: ui.money(fee, currency) }];
  const facts = receiptFacts(view, ui, detail).flatMap(([key, value]) => [
    { label: ui.t(key), value },
    ...(key === 'amount_due' ? feeFact : []),
  ]);
  const support_url = page.brand?.support_url ?? null;
  return {
    title: ui.t('receipt_title'),
    platform: page.brand?.name ?? 'Paydesk',
    test: view.test_mode ? ui.t('receipt_test') : null,
    merchant: view.merchant.name,
    total: { label: ui.t('total'), amount: ui.money(amount, currency) },
    facts,
    help: support_url === null ? null : `${accountUi(page).t('help')}: ${shownAddress(support_url)}`,
  };
}
