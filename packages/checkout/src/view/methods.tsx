/** The list of methods to choose from. */
import { isZero } from '../model/money.ts';
import { isSelectable } from '../model/screen.ts';
import type { CheckoutMethod } from '../model/state.ts';
import { Amount } from './amount.tsx';
import { Icon } from './icon.tsx';
import { Marks, type MethodMarks } from './marks.tsx';
import type { Ui } from './ui.ts';

interface MethodsProps {
  ui: Ui;
  methods: readonly CheckoutMethod[];
  marks: MethodMarks | undefined;
  chosen: string | null;
  /** Whether the choice is locked, because a payment is being started. */
  locked: boolean;
  onChoose: (method_id: string) => void;
}

/** The methods of an order as one radio group, each with its total. */
export function Methods({ ui, methods, marks, chosen, locked, onChoose }: MethodsProps) {
  return (
    <fieldset class="methods">
      <legend class="unseen">{ui.t('methods')}</legend>
      {methods.map((method) => (
        <Method
          key={method.method_id}
          ui={ui}
          method={method}
          marks={marks}
          checked={method.method_id === chosen}
          disabled={!isSelectable(method) || (locked && method.method_id !== chosen)}
          onChoose={onChoose}
        />
      ))}
    </fieldset>
  );
}

interface MethodProps {
  ui: Ui;
  method: CheckoutMethod;
  marks: MethodMarks | undefined;
  checked: boolean;
  disabled: boolean;
  onChoose: (method_id: string) => void;
}

function Method({ ui, method, marks, checked, disabled, onChoose }: MethodProps) {
  const { method_id, payment_currency: currency } = method;
  return (
    <label class="method">
      <input
        type="radio"
        name="method"
        value={method_id}
        checked={checked}
        disabled={disabled}
        data-previewed={checked ? '' : undefined}
        onChange={() => {
          onChoose(method_id);
        }}
      />
      <Icon name={method.provider === 'ptk' ? 'coin' : 'card'} />
      <span class="offer">
        <span class="name">
          <bdi>{method.name}</bdi>
          {method.test_mode && <span class="tag">{ui.t('method_test')}</span>}
        </span>
        <Amount ui={ui} amount={method.payment_amount} currency={currency} />
        <Marks html={marks?.[method_id]} />
        <small>{hintOf(ui, method)}</small>
      </span>
    </label>
  );
}

function hintOf(ui: Ui, method: CheckoutMethod): string {
  if (!isSelectable(method)) return ui.t('method_unavailable');
  if (isZero(method.buyer_fee)) return ui.t('method_no_fee');
  return ui.t('method_fee', { fee: ui.money(method.buyer_fee, method.payment_currency) });
}
