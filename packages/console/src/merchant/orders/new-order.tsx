/** The form that creates an order by hand. */
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { answerOf, api } from '../../api/client.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { optional, textOf } from '../../components/dialog/fields.ts';
import { LinkToSend } from '../../components/values/link-to-send.tsx';
import { useCurrencies } from '../currencies.ts';
import { useMayWrite } from '../merchant-no.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('orders');

/** Names one filled form: sending it again gives the same order, and another form is another order. */
const newKey = (): string =>
  `console-${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

const lifetimes = [
  { value: '900', label: t('n_15_minutes') },
  { value: '1800', label: t('n_30_minutes') },
  { value: '3600', label: t('n_1_hour') },
  { value: '7200', label: t('n_2_hours') },
];

/** A merchant cannot set up a channel: the platform can (D-1480). */
function sayWhomToAsk(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'channel_unavailable') throw error;
  const message = t('no_payment_channel_can_take_this_order');
  throw new ApiError({ status: error.status, code: 'no_channel', message });
}

export function NewOrder({ merchant_no }: { merchant_no: string }) {
  const mayWrite = useMayWrite('orders');
  const { choices } = useCurrencies(merchant_no);
  const sent = useRef({ form: '', key: '' });
  if (!mayWrite) return null;
  return (
    <ActionButton
      label={t('new_order')}
      icon={<IconPlus size={16} />}
      variant="filled"
      title={t('new_order')}
      about={t('create_an_order_by_hand_the')}
      confirm={t('create')}
      refresh={['merchant', merchant_no, 'orders']}
      fields={[
        {
          name: 'amount',
          label: t('amount'),
          required: true,
          placeholder: '25.00',
          kind: 'amount',
        },
        { name: 'currency', label: t('currency'), kind: 'choice', choices, required: true },
        {
          name: 'external_reference',
          label: t('reference'),
          about: t('your_own_number_such_as_an'),
          required: true,
        },
        { name: 'description', label: t('description'), about: t('shown_to_the_buyer') },
        {
          name: 'expires_in',
          label: t('payment_window'),
          kind: 'choice',
          choices: lifetimes,
          initial: '1800',
          required: true,
        },
      ]}
      submit={async (values) => {
        const form = JSON.stringify(values);
        if (sent.current.form !== form) sent.current = { form, key: newKey() };
        const order = await answerOf(
          api.POST('/console/v1/merchants/{merchant_no}/collection-orders', {
            params: { path: { merchant_no } },
            body: {
              idempotency_key: sent.current.key,
              external_reference: textOf(values, 'external_reference'),
              amount: textOf(values, 'amount'),
              currency: textOf(values, 'currency'),
              expires_in: Number(textOf(values, 'expires_in')),
              ...optional(values, 'description'),
            },
          }),
        ).catch(sayWhomToAsk);
        sent.current = { form: '', key: '' };
        return order;
      }}
      result={({ checkout_url }) => (
        <LinkToSend
          name={t('checkout_address')}
          title={t('order_created')}
          url={checkout_url}
          note={t('anyone_with_this_address_can_pay')}
        />
      )}
    />
  );
}
