/**
 * The postings that settle an order: a card payment (P1) and a payment in PTK (P2). A payment on a merchant's own
 * channel has none: it credits nothing.
 */
import { InvariantError } from '../../base/errors.ts';
import { ptk } from '../../base/money.ts';
import {
  type Account,
  buyerFeeIncome,
  exchange,
  merchantAvailable,
  merchantFeeIncome,
  merchantHeld,
  providerClearing,
  userAvailable,
  type Entry,
  transfer,
} from '../../ledger/books/index.ts';
import type { Payable } from '../engine/index.ts';
import { type Quote, settlementOf, totalOf } from '../quotes/index.ts';

/**
 * A card payment on a channel of the platform (P1): the provider owes the buyer's total, the buyer fee is income, the
 * invoice is exchanged into PTK, and the merchant gets the net under hold. A test channel posts the
 * same, on its own clearing account (R-149, D-084).
 *
 * @param source the account that holds the buyer's total: the provider's, or suspense if a case has booked it
 */
export function cardSettlementEntry(
  order: Payable,
  quote: Quote,
  source: Account = providerClearing(quote.payment_no, quote.currency),
): Entry {
  const { currency } = quote;
  return {
    ...entryOf(order, quote),
    posting: 'P1',
    transfers: [
      transfer(source, buyerFeeIncome(currency), quote.buyer_fee),
      transfer(source, exchange(currency), quote.subtotal),
      transfer(exchange(ptk), merchantFeeIncome(), quote.merchant_fee_ptk),
      transfer(exchange(ptk), proceedsAccount(order), netOf(order, quote)),
    ],
  };
}

/**
 * What a top-up gives its buyer (P21): the net that P1 has credited to the platform's own merchant, and the merchant fee,
 * which the platform does not take from itself. Together they are the invoice at the locked price.
 */
export function walletCreditEntry(order: Payable, quote: Quote, user_id: string): Entry {
  if (order.hold_days !== 0) throw new InvariantError('a top-up under hold');
  const wallet = userAvailable(user_id);
  return {
    ...entryOf(order, quote),
    posting: 'P21',
    transfers: [
      transfer(merchantAvailable(), wallet, netOf(order, quote)),
      transfer(merchantFeeIncome(), wallet, quote.merchant_fee_ptk),
    ],
  };
}

/** A payment from a buyer's PTK wallet (P2, R-148). */
export function ptkSettlementEntry(order: Payable, quote: Quote, buyer_user_id: string): Entry {
  const buyer = userAvailable(buyer_user_id);
  const net = netOf(order, quote);
  if (totalOf(quote) !== quote.buyer_fee + quote.merchant_fee_ptk + net) {
    throw new InvariantError('a PTK payment leaves a residue');
  }
  return {
    ...entryOf(order, quote),
    posting: 'P2',
    transfers: [
      transfer(buyer, buyerFeeIncome(ptk), quote.buyer_fee),
      transfer(buyer, merchantFeeIncome(), quote.merchant_fee_ptk),
      transfer(buyer, proceedsAccount(order), net),
    ],
  };
}

const entryOf = (order: Payable, quote: Quote): Pick<Entry, 'merchant_id' | 'subject' | 'test_mode'> => ({
  merchant_id: order.merchant_id,
  subject: order.order_no,
  test_mode: quote.test_mode,
});

/** Net proceeds go under hold; without hold days they are available at once. */
const proceedsAccount = (order: Payable) =>
  order.hold_days === 0 ? merchantAvailable() : merchantHeld(order.order_no);

/** Gross less the merchant fee; positive, because a quote that leaves nothing is never made. */
function netOf(order: Payable, quote: Quote): bigint {
  const net = settlementOf(quote, order.gross_settlement_ptk);
  if (net === null || net <= 0n) throw new InvariantError('a settled quote leaves nothing to settle');
  return net;
}
