/** The other methods of an order whose payment page is open at the provider. */
import type { OrderPage } from '../client/use-order.ts';
import type { CheckoutMethod } from '../model/state.ts';
import { Amount } from './amount.tsx';
import { Icon } from './icon.tsx';
import { closePath } from './links.ts';
import type { AppContext } from './props.ts';
import type { Ui } from './ui.ts';

interface OtherMethodsProps {
  ui: Ui;
  context: AppContext;
  page: OrderPage;
}

/**
 * Offers the methods beside the one that was started. Choosing one closes the provider's payment page first (D-258). The
 * new method is then shown like any other, and nothing is paid before the buyer confirms it.
 */
export function OtherMethods({ ui, context, page }: OtherMethodsProps) {
  const { attempt, methods } = page.state;
  const others = methods.filter((method) => method.method_id !== attempt?.method_id && isLocked(method));
  if (others.length === 0) return null;
  return (
    <form
      class="others"
      method="post"
      action={closePath(context)}
      onSubmit={(event) => {
        event.preventDefault();
        const method_id = (event.submitter as HTMLButtonElement | null)?.value;
        if (page.phase === 'idle' && page.online && method_id !== undefined) page.change(method_id);
      }}
    >
      <h3>{ui.t('other_methods')}</h3>
      <input type="hidden" name="token" value={context.token} />
      {others.map((method) => (
        <button
          key={method.method_id}
          class="method"
          type="submit"
          name="method_id"
          value={method.method_id}
          aria-disabled={page.phase !== 'idle' || !page.online}
        >
          <Icon name={method.provider === 'ptk' ? 'coin' : 'card'} />
          <span class="offer">
            <span class="name">
              <bdi>{method.name}</bdi>
            </span>
            <Amount ui={ui} amount={method.payment_amount} currency={method.payment_currency} />
          </span>
        </button>
      ))}
    </form>
  );
}

/** Whether nothing but the started payment keeps a method from being used. */
const isLocked = ({ usable, unusable_reason }: CheckoutMethod): boolean =>
  usable || unusable_reason === 'payment_conflict';
