/** Sends the mails about orders to the people who paid them, or to an address that was typed on a receipt (D-237, D-362). */
import { buyerMail } from '@paydesk/checkout';
import { formatMinor, ptkDecimals } from '../../base/money.ts';
import { sealed } from '../../base/sealed-columns.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import { readDelivery } from '../../catalog/fulfilment/index.ts';
import { isCatalogOrderNo, lineOf, orderPath, selectCatalogOrder } from '../../catalog/orders/index.ts';
import { selectOrder } from '../../collection/orders/index.ts';
import {
  type BuyerMail,
  type BuyerMailOutcome,
  claimBuyerMail,
  endBuyerMail,
  type SendDeps,
  sendQueued,
} from '../../identity/mail/index.ts';
import { selectLocale, selectPerson } from '../../identity/people/index.ts';
import { readTransfers } from '../../ledger/books/index.ts';
import type { FindMerchant } from '../../merchants/index.ts';
import { type Attempt, isPaid, selectAttempts } from '../../payments/attempts/index.ts';
import { checkoutToken } from '../link/checkout-token.ts';

export interface BuyerMailDeps extends SendDeps {
  box: SecretBox;
  findMerchant: FindMerchant;
}

/** Sends one due mail; returns how many it found (0 or 1). Several workers may call it at once. */
export function sendDueBuyerMail(deps: BuyerMailDeps): Promise<number> {
  let outcome: BuyerMailOutcome = 'given-up';
  return sendQueued(deps, {
    claim: (now, next) => claimBuyerMail(deps.db, now, next),
    remove: ({ mail_id }) => endBuyerMail(deps.db, mail_id, outcome, deps.clock.real()),
    async send(mail) {
      outcome = (await sendOne(deps, mail)) ? 'sent' : 'nobody';
    },
  });
}

interface Recipient {
  address: string;
  locale: string;
}

async function sendOne(deps: BuyerMailDeps, mail: BuyerMail): Promise<boolean> {
  const { merchant_id, order_no, kind } = mail;
  const attempts = await selectAttempts(deps.db, merchant_id, order_no);
  const about = await orderOf(deps, mail);
  // Another attempt may have been paid after the one that settled the order (D-1152).
  const paid = attempts.find(
    (attempt) => isPaid(attempt) && attempt.provider_trade_no === about?.provider_trade_no,
  );
  const to = await recipientOf(deps, mail, paid);
  const merchant = await deps.findMerchant(merchant_id);
  if (to === null || about === null || merchant === null || paid === undefined) return false;
  const text = buyerMail(to.locale, kind, {
    merchant: merchant.name,
    title: about.title,
    order_no,
    amount: formatMinor(paid.amount, paid.currency_decimals),
    currency: paid.currency,
    paid_at: paid.paid_at === null ? null : rfc3339(paid.paid_at),
    test_mode: paid.test_mode,
    ptk: about.ptk,
    goods: about.goods,
    link: deps.public_url + about.path,
  });
  await deps.mailer.send({ to: to.address, ...text });
  return true;
}

/** The typed address, or the person who paid while signed in. A person who is disabled gets no mail. */
async function recipientOf(
  { db, box }: BuyerMailDeps,
  { mail_id, address_box, locale }: BuyerMail,
  paid: Attempt | undefined,
): Promise<Recipient | null> {
  if (address_box !== null) {
    return {
      address: box.open(address_box, sealed.buyerMailAddress.row({ mail_id })),
      locale: locale ?? 'en',
    };
  }
  if (paid?.buyer_user_id == null) return null;
  const { buyer_user_id } = paid;
  const [person, known] = await Promise.all([
    selectPerson(db, buyer_user_id),
    selectLocale(db, buyer_user_id),
  ]);
  if (person === null || person.disabled_at !== null) return null;
  return { address: person.email, locale: known ?? 'en' };
}

interface AboutOrder {
  title: string;
  /** The payment that settled it. */
  provider_trade_no: string | null;
  /** Codes and the merchant's note, for the mail of a delivery. */
  goods: string[];
  path: string;
  /** What a top-up gave to the balance, or has taken back. */
  ptk: string | null;
}

async function orderOf(
  { db, box }: BuyerMailDeps,
  { merchant_id, order_no, kind }: BuyerMail,
): Promise<AboutOrder | null> {
  if (!isCatalogOrderNo(order_no)) {
    const order = await selectOrder(db, merchant_id, order_no);
    if (order === null) return null;
    const path = `/checkout/${order_no}/receipt?token=${checkoutToken(box, order)}`;
    const moved = order.wallet_user_id === null ? null : await movedBy(db, order, kind);
    const ptk = moved === null ? null : formatMinor(moved, ptkDecimals);
    return { title: order.description, provider_trade_no: order.provider_trade_no, goods: [], path, ptk };
  }
  const order = await selectCatalogOrder(db, merchant_id, order_no);
  if (order === null) return null;
  const { codes, note } =
    kind === 'delivered' ? await readDelivery({ db, box }, order) : { codes: [], note: null };
  const goods = note === null ? codes : [...codes, note];
  const { provider_trade_no } = order;
  return { title: lineOf(order), provider_trade_no, goods, path: orderPath(order_no), ptk: null };
}

/** The PTK that a top-up has given to its wallet (P21), or that its losses have taken back (P22). */
async function movedBy(
  db: BuyerMailDeps['db'],
  { merchant_id, order_no }: { merchant_id: string; order_no: string },
  kind: BuyerMail['kind'],
): Promise<bigint> {
  const posting = kind === 'receipt' ? 'P21' : 'P22';
  const transfers = await readTransfers(db, merchant_id, order_no);
  return transfers
    .filter((transfer) => transfer.posting === posting)
    .reduce((sum, { amount }) => sum + amount, 0n);
}
