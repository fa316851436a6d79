/** The form that creates an order by hand. */
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { isDecimal, optional, textOf } from '../../components/dialog/fields.ts';
import { LinkToSend } from '../../components/values/link-to-send.tsx';
import { useCurrencies } from '../currencies.ts';
import { useMayWrite } from '../merchant-no.ts';

/** Names one filled form: sending it again gives the same order. */
const newKey = (): string =>
  `console-${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

const lifetimes = [
  { value: '900', label: '15 minutes' },
  { value: '1800', label: '30 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '7200', label: '2 hours' },
];

export function NewOrder({ merchant_no }: { merchant_no: string }) {
  const mayWrite = useMayWrite('orders');
  const { choices } = useCurrencies(merchant_no);
  const [key, setKey] = useState(newKey);
  if (!mayWrite) return null;
  return (
    <ActionButton
      label="New order"
      icon={<IconPlus size={16} />}
      variant="filled"
      title="New order"
      about="As your server creates one: the buyer chooses how to pay. Send the buyer the address that you get."
      confirm="Create"
      refresh={['merchant', merchant_no, 'orders']}
      fields={[
        {
          name: 'amount',
          label: 'Amount',
          required: true,
          placeholder: '25.00',
          check: (value) => isDecimal(value),
        },
        { name: 'currency', label: 'Currency', kind: 'choice', choices, required: true },
        {
          name: 'external_reference',
          label: 'Reference',
          about: 'Your own number for it, such as an invoice.',
          required: true,
        },
        { name: 'description', label: 'Description', about: 'The buyer sees it.' },
        {
          name: 'expires_in',
          label: 'Can be paid for',
          kind: 'choice',
          choices: lifetimes,
          initial: '1800',
          required: true,
        },
      ]}
      submit={async (values) => {
        const order = await answerOf(
          api.POST('/console/v1/merchants/{merchant_no}/collection-orders', {
            params: { path: { merchant_no } },
            body: {
              idempotency_key: key,
              external_reference: textOf(values, 'external_reference'),
              amount: textOf(values, 'amount'),
              currency: textOf(values, 'currency'),
              expires_in: Number(textOf(values, 'expires_in')),
              ...optional(values, 'description'),
            },
          }),
        );
        setKey(newKey());
        return order;
      }}
      result={({ checkout_url }) => (
        <LinkToSend
          name="checkout address"
          title="The order is created"
          url={checkout_url}
          note="Anyone with this address can pay the order. It is shown only once."
        />
      )}
    />
  );
}
