/** The form for a new payment link. */
import { IconPlus } from '@tabler/icons-react';
import { answerOf, api } from '../../api/client.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import {
  type Field,
  isDecimal,
  isWhole,
  optional,
  textOf,
  type Values,
} from '../../components/dialog/fields.ts';
import { LinkToSend } from '../../components/values/link-to-send.tsx';
import { useCurrencies } from '../currencies.ts';

const isOpen = (values: Values): boolean => textOf(values, 'kind') === 'open';
const amountField = (name: string, label: string, field: Partial<Field> = {}): Field => ({
  ...{ name, label, placeholder: '25.00', check: (value) => isDecimal(value) },
  ...field,
});

export function NewLink({ merchant_no }: { merchant_no: string }) {
  const { choices } = useCurrencies(merchant_no);
  return (
    <ActionButton
      label="New payment link"
      icon={<IconPlus size={16} />}
      variant="filled"
      title="New payment link"
      confirm="Create"
      refresh={['merchant', merchant_no, 'links']}
      fields={[
        {
          name: 'kind',
          label: 'Amount',
          kind: 'choice',
          required: true,
          initial: 'fixed',
          choices: [
            { value: 'fixed', label: 'The same for everyone' },
            { value: 'open', label: 'The buyer enters it' },
          ],
        },
        amountField('amount', 'Amount to pay', { required: true, when: (values) => !isOpen(values) }),
        amountField('min_amount', 'At least', { when: isOpen }),
        amountField('max_amount', 'At most', { when: isOpen }),
        { name: 'currency', label: 'Currency', kind: 'choice', choices, required: true },
        { name: 'description', label: 'Description', about: 'What is paid for. Buyers see it.' },
        {
          name: 'external_reference',
          label: 'Reference',
          about: 'All orders of the link have it. Empty: the link itself.',
        },
        { name: 'expires_at', label: 'Until', kind: 'time', about: 'Empty: without end.' },
        {
          name: 'max_uses',
          label: 'How many orders',
          kind: 'number',
          about: 'Each buyer who continues makes one, also if it is not paid. Empty: any number.',
          check: isWhole,
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
          name="link"
          title="The payment link is ready"
          url={url}
          note="Send it, print it as a QR code, or put it on your page. You find it in this list again."
        />
      )}
    />
  );
}
