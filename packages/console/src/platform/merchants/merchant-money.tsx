/** What administrators do with a merchant's money: top up, guarantees, repayments, the credit limit. */
import { IconArrowDownLeft, IconArrowUpRight, IconPower } from '@tabler/icons-react';
import { adminCall, type Merchant, type MerchantWallet } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import {
  type Field,
  isDecimal,
  ptkField,
  ptkOf,
  reasonField,
  referenceField,
  textOf,
  type Values,
} from '../../components/dialog/fields.ts';
import { decimalOf, ptkDecimals, ptkMinorOf, ptkText } from '../../money/money.ts';

interface Move {
  label: string;
  path: string;
  title: string;
  fields?: readonly Field[];
  /** What confirming does, with the amount in words. */
  consequences: (amount: string, name: string, values: Values) => readonly string[];
  body?: (values: Values) => Record<string, unknown>;
  into: boolean;
  danger?: boolean;
}

/** The amount that was received outside for PTK; both fields or neither. */
const paidFields: readonly Field[] = [
  {
    name: 'paid_currency',
    label: 'Received in currency',
    about: 'Leave both empty where nothing was received.',
    placeholder: 'USD',
  },
  {
    name: 'paid_amount',
    label: 'Received amount',
    placeholder: '100.00',
    check: (value) => isDecimal(value),
  },
];

const paidOf = (values: Values): Record<string, unknown> =>
  textOf(values, 'paid_currency') === ''
    ? {}
    : { paid: { currency: textOf(values, 'paid_currency'), amount: textOf(values, 'paid_amount') } };

const moves: readonly Move[] = [
  {
    label: 'Top up',
    path: 'ptk-top-ups',
    title: 'Top up the wallet',
    fields: [...paidFields, reasonField],
    consequences: (amount, name) => [
      `${amount} become available to ${name}.`,
      'They can be withdrawn at once.',
    ],
    body: (values) => ({ ...paidOf(values), reason: textOf(values, 'reason') }),
    into: true,
  },
  {
    label: 'Take a guarantee',
    path: 'guarantee-deposits',
    title: 'Take a guarantee deposit',
    fields: [
      {
        name: 'source',
        label: 'From',
        kind: 'choice',
        required: true,
        initial: 'external',
        choices: [
          { value: 'external', label: 'Paid in from outside' },
          { value: 'available', label: 'The available balance' },
        ],
      },
      ...paidFields.map((field) => ({ ...field, when: (values: Values) => values.source === 'external' })),
    ],
    consequences: (amount, name, values) => [
      values.source === 'available'
        ? `${amount} of what is available to ${name} become its guarantee.`
        : `${amount} paid in from outside become the guarantee of ${name}.`,
      'It covers losses that the wallet cannot.',
    ],
    body: (values) => ({
      source: textOf(values, 'source'),
      ...(values.source === 'external' ? paidOf(values) : {}),
    }),
    into: true,
  },
  {
    label: 'Return the guarantee',
    path: 'guarantee-returns',
    title: 'Return from the guarantee',
    consequences: (amount, name) => [
      `${amount} leave the guarantee and become available to ${name}.`,
      'They cover no losses any more.',
    ],
    into: false,
  },
  {
    label: 'Repay credit',
    path: 'credit-repayments',
    title: 'Repay drawn credit',
    consequences: (amount) => [`${amount} of what is available repay credit that was drawn for fees.`],
    into: false,
  },
  {
    label: 'Repay losses',
    path: 'recovery-repayments',
    title: 'Repay losses',
    fields: paidFields,
    consequences: (amount, name) => [`${name} has paid ${amount} of what it owes from losses, from outside.`],
    body: paidOf,
    into: true,
  },
  {
    label: 'Write off losses',
    path: 'recovery-write-offs',
    title: 'Write off losses',
    fields: [reasonField],
    consequences: (amount, name) => [
      `${name} no longer owes ${amount}.`,
      'The platform bears the loss. This cannot be taken back.',
    ],
    body: (values) => ({ reason: textOf(values, 'reason') }),
    into: false,
    danger: true,
  },
];

const amountIn = (values: Values): string => {
  const minor = ptkMinorOf(textOf(values, 'amount_ptk'));
  return minor === null ? 'This amount of PTK' : `${ptkText(minor)} PTK`;
};

/** The actions on a merchant's wallet. */
export function WalletActions({ merchant_no, name }: { merchant_no: string; name: string }) {
  return (
    <>
      {moves.map((move) => (
        <PlatformAction
          allows="money"
          key={move.path}
          label={move.label}
          icon={move.into ? <IconArrowDownLeft size={16} /> : <IconArrowUpRight size={16} />}
          title={move.title}
          confirm={move.label}
          danger={move.danger}
          fields={[ptkField(), ...(move.fields ?? []), referenceField]}
          consequences={(values) => move.consequences(amountIn(values), name, values)}
          submit={(values) =>
            adminCall<MerchantWallet>('POST', `/merchants/${part(merchant_no)}/${move.path}`, {
              body: {
                amount_ptk: ptkOf(values),
                reference: textOf(values, 'reference'),
                ...move.body?.(values),
              },
            })
          }
          done={() => 'Booked.'}
        />
      ))}
    </>
  );
}

export function CreditLimit({ merchant }: { merchant: Merchant }) {
  const limit = decimalOf(BigInt(merchant.credit_limit_ptk), ptkDecimals);
  return (
    <PlatformAction
      allows="administer"
      label="Change the credit limit"
      title="Credit limit"
      confirm="Set"
      fields={[
        {
          ...ptkField('limit', 'Limit'),
          initial: limit.replace(/\.?0+$/, ''),
          check: (value) =>
            ptkMinorOf(String(value)) === null ? 'Digits, and at most eight after the point.' : null,
        },
        reasonField,
      ]}
      consequences={() => ['Fees may be taken on credit up to this limit where the balance does not reach.']}
      submit={(values) =>
        adminCall<Merchant>('PATCH', `/merchants/${part(merchant.merchant_no)}`, {
          body: { credit_limit_ptk: ptkOf(values, 'limit'), reason: textOf(values, 'reason') },
        })
      }
      done={() => 'The limit is set.'}
    />
  );
}

/** Opens or closes a merchant. */
export function StatusChange({ merchant }: { merchant: Merchant }) {
  const closes = merchant.status === 'active';
  return (
    <PlatformAction
      allows="administer"
      label={closes ? 'Deactivate' : 'Activate'}
      icon={<IconPower size={16} />}
      color={closes ? 'red' : 'teal'}
      title={closes ? `Deactivate ${merchant.name}` : `Activate ${merchant.name}`}
      confirm={closes ? 'Deactivate' : 'Activate'}
      danger={closes}
      fields={[reasonField]}
      consequences={() =>
        closes
          ? [
              'It can create no orders, and its open orders can no longer be paid.',
              'Its money stays where it is.',
            ]
          : ['It can create orders again, and its open orders can be paid.']
      }
      submit={(values) =>
        adminCall<Merchant>('PATCH', `/merchants/${part(merchant.merchant_no)}`, {
          body: { status: closes ? 'inactive' : 'active', reason: textOf(values, 'reason') },
        })
      }
      done={() => (closes ? 'Deactivated.' : 'Activated.')}
    />
  );
}
