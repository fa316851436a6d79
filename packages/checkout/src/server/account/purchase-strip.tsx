/** The purchase that a person left to sign in, so that it stays in view until they pay. */
import { Amount } from '../../view/amount.tsx';
import { accountUi, type BaseContext, pageUi } from '../document.tsx';

/** A purchase that waits for its payment. */
export interface Purchase {
  merchant: string;
  description: string | null;
  /** A decimal string, and its currency. */
  amount: string;
  currency: string;
}

export function PurchaseStrip({ page, purchase }: { page: BaseContext; purchase: Purchase | null }) {
  if (purchase === null) return null;
  const { merchant, description, amount, currency } = purchase;
  return (
    <aside class="purchase" aria-label={pageUi(page).t('payment_to', { merchant })}>
      <p class="row">
        <span>
          <strong>
            <bdi>{merchant}</bdi>
          </strong>
          {description !== null && (
            <>
              <br />
              <bdi class="quiet">{description}</bdi>
            </>
          )}
        </span>
        <strong>
          <Amount ui={pageUi(page)} amount={amount} currency={currency} />
        </strong>
      </p>
      <p class="quiet">{accountUi(page).t('purchase_next')}</p>
    </aside>
  );
}
