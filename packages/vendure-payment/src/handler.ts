/** The payment method of Vendure. It books what Paydesk has confirmed, and nothing else. */
import { LanguageCode, PaymentMethodHandler, UserInputError } from '@vendure/core';
import { confirmedPayments, confirmedRefunds } from './confirmed.ts';
import { numberOf } from './money.ts';
import { settingsForm } from './settings.ts';

const unconfirmed =
  'Payments with Paydesk begin with the mutation createPaydeskCheckout, and are booked by themselves.';

/** Add it to no list yourself: the plug-in does. Exported for shops that compose their handlers by hand. */
export const paydeskPaymentHandler = new PaymentMethodHandler({
  code: 'paydesk',
  description: [{ languageCode: LanguageCode.en, value: 'Paydesk' }],
  args: settingsForm,
  createPayment: (_ctx, _order, amount, _args, metadata) => {
    const confirmed = confirmedPayments.get(metadata);
    if (confirmed === undefined) return { amount, state: 'Declined', errorMessage: unconfirmed };
    const { state, event_id } = confirmed;
    return {
      amount: numberOf(confirmed.amount),
      state: 'Settled',
      transactionId: event_id,
      metadata: {
        order_no: state.order_no,
        status: state.status,
        status_version: state.status_version,
        provider_trade_no: state.provider_trade_no ?? '',
        occurred_at: state.occurred_at ?? '',
      },
    };
  },
  settlePayment: () => ({ success: true }),
  // Merchants cannot refund: the platform does, and its notification books the refund here (D-368).
  createRefund: (_ctx, input, _amount, _order, payment) => {
    const state = confirmedRefunds.get(input);
    if (state === undefined) {
      const { order_no = payment.transactionId } = payment.metadata as { order_no?: string };
      throw new UserInputError(
        `Payments by Paydesk are refunded by the operator of Paydesk: ask there for a refund of ${order_no}. The refund appears here by itself.`,
      );
    }
    return {
      state: 'Settled',
      transactionId: payment.transactionId,
      metadata: { order_no: state.order_no, status_version: state.status_version },
    };
  },
});
