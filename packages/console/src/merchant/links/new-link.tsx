/** The form for a new payment link. */
import { IconPlus } from '@tabler/icons-react';
import { answerOf, api } from '../../api/client.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import {
  type Field,
  isCount,
  optional,
  textOf,
  type Value,
  type Values,
} from '../../components/dialog/fields.ts';
import { LinkToSend } from '../../components/values/link-to-send.tsx';
import { minorOf } from '../../money/money.ts';
import { useCurrencies } from '../currencies.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('orders');

const isOpen = (values: Values): boolean => textOf(values, 'kind') === 'open';
const amountField = (name: string, label: string, field: Partial<Field> = {}): Field => ({
  ...{ name, label, placeholder: '25.00', kind: 'amount' },
  ...field,
});

function belowMinimum(value: Value, values: Values): string | null {
  const [min, max] = [textOf(values, 'min_amount'), String(value)].map((text) => minorOf(text, 12));
  return min != null && max != null && max < min ? t('the_maximum_is_below_the_minimum') : null;
}

export function NewLink({ merchant_no }: { merchant_no: string }) {
  const { choices } = useCurrencies(merchant_no);
  return (
    <ActionButton
      label={t('new_payment_link')}
      icon={<IconPlus size={16} />}
      variant="filled"
      title={t('new_payment_link')}
      confirm={t('create')}
      refresh={['merchant', merchant_no, 'links']}
      fields={[
        {
          name: 'kind',
          label: t('amount'),
          kind: 'choice',
          required: true,
          initial: 'fixed',
          choices: [
            { value: 'fixed', label: t('fixed_amount') },
            { value: 'open', label: t('chosen_by_the_buyer') },
          ],
        },
        amountField('amount', t('amount_to_pay'), { required: true, when: (values) => !isOpen(values) }),
        amountField('min_amount', t('minimum'), { when: isOpen }),
        amountField('max_amount', t('maximum'), {
          when: isOpen,
          check: belowMinimum,
        }),
        { name: 'currency', label: t('currency'), kind: 'choice', choices, required: true },
        { name: 'description', label: t('description'), about: t('what_the_payment_is_for_shown') },
        {
          name: 'external_reference',
          label: t('reference'),
          about: t('used_for_every_order_of_this'),
        },
        { name: 'expires_at', label: t('expires'), kind: 'time', about: t('leave_empty_for_no_end_date') },
        {
          name: 'max_uses',
          label: t('number_of_orders'),
          kind: 'number',
          about: t('each_buyer_who_continues_creates_an'),
          check: isCount,
        },
      ]}
      submit={(values) => {
        const until = textOf(values, 'expires_at');
        const uses = textOf(values, 'max_uses');
        return answerOf(
          api.POST('/console/v1/merchants/{merchant_no}/payment-links', {
            params: { path: { merchant_no } },
            body: {
              currency: textOf(values, 'currency'),
              ...(isOpen(values)
                ? { ...optional(values, 'min_amount'), ...optional(values, 'max_amount') }
                : optional(values, 'amount')),
              ...optional(values, 'description'),
              ...optional(values, 'external_reference'),
              ...(until === '' ? {} : { expires_at: new Date(until).toISOString() }),
              ...(uses === '' ? {} : { max_uses: Number(uses) }),
            },
          }),
        );
      }}
      result={({ url }) => (
        <LinkToSend
          name={t('link_2')}
          title={t('payment_link_created')}
          url={url}
          note={t('send_it_print_it_as_a')}
        />
      )}
    />
  );
}
