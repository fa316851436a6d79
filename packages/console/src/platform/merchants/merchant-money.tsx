/** What administrators do with a merchant's money: top up, guarantees, repayments, the credit limit. */
import { IconArrowDownLeft, IconArrowUpRight, IconPower } from '@tabler/icons-react';
import { adminCall, type Merchant, type MerchantWallet } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import {
  currencyOf,
  type Field,
  ptkField,
  ptkOf,
  reasonField,
  referenceField,
  textOf,
  type Values,
} from '../../components/dialog/fields.ts';
import { type Balance, Balances } from '../../components/merchant/wallet.tsx';
import { decimalOf, ptkDecimals, ptkMinorOf, ptkText } from '../../money/money.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-merchants');
const core = textsOf('core');

interface Move {
  label: string;
  path: string;
  title: string;
  /** The balances that it changes, and that limit it. */
  balances: readonly Balance[];
  fields?: readonly Field[];
  /** The effect of confirming, with the amount in words. */
  consequences: (amount: string, name: string, values: Values, owed: boolean) => readonly string[];
  body?: (values: Values) => Record<string, unknown>;
  into: boolean;
  danger?: boolean;
}

/** A value is needed where the other field has one (D-1220). */
const beside =
  (other: string): Field['needed'] =>
  (values) =>
    textOf(values, other) === '' ? null : core('enter_a_value');

/** The amount that was received outside for PTK; both fields or neither. */
const paidFields: readonly Field[] = [
  {
    name: 'paid_currency',
    label: t('currency_received'),
    about: t('leave_both_empty_if_no_payment'),
    placeholder: 'USD',
    needed: beside('paid_amount'),
  },
  {
    name: 'paid_amount',
    label: t('amount_received'),
    placeholder: '100.00',
    kind: 'amount',
    needed: beside('paid_currency'),
  },
];

const paidOf = (values: Values): Record<string, unknown> =>
  textOf(values, 'paid_currency') === ''
    ? {}
    : { paid: { currency: currencyOf(values, 'paid_currency'), amount: textOf(values, 'paid_amount') } };

/** From outside, with what was received there, or from the available balance. */
const sourceFields: readonly Field[] = [
  {
    name: 'source',
    label: t('from'),
    kind: 'choice',
    required: true,
    initial: 'external',
    choices: [
      { value: 'external', label: t('external_deposit') },
      { value: 'available', label: t('available_balance') },
    ],
  },
  ...paidFields.map((field) => ({ ...field, when: (values: Values) => values.source === 'external' })),
];

const sourceOf = (values: Values): Record<string, unknown> => ({
  source: textOf(values, 'source'),
  ...(values.source === 'external' ? paidOf(values) : {}),
});

const moves: readonly Move[] = [
  {
    label: t('top_up'),
    path: 'ptk-top-ups',
    title: t('top_up_the_wallet'),
    balances: ['available_ptk', 'recovery_ptk'],
    fields: [...paidFields, reasonField],
    // Nothing is paid out to a merchant that owes (D-1423).
    consequences: (amount, name, _, owed) => [
      t('amount_become_available_to_name', { amount, name }),
      ...(owed ? [] : [t('they_can_be_paid_out_at')]),
    ],
    body: (values) => ({ ...paidOf(values), reason: textOf(values, 'reason') }),
    into: true,
  },
  {
    label: t('add_guarantee'),
    path: 'guarantee-deposits',
    title: t('add_a_guarantee_deposit'),
    balances: ['guarantee_ptk', 'available_ptk'],
    fields: sourceFields,
    consequences: (amount, name, values) => [
      values.source === 'available'
        ? t('amount_of_the_available_balance_of', { amount, name })
        : t('amount_deposited_externally_become_the_guara', { amount, name }),
      t('the_guarantee_covers_losses_that_the'),
    ],
    body: sourceOf,
    into: true,
  },
  {
    label: t('return_guarantee'),
    path: 'guarantee-returns',
    title: t('return_from_the_guarantee'),
    balances: ['guarantee_ptk', 'available_ptk'],
    consequences: (amount, name) => [
      t('amount_move_from_the_guarantee_to', { amount, name }),
      t('they_no_longer_cover_losses'),
    ],
    into: false,
  },
  {
    label: t('repay_credit'),
    path: 'credit-repayments',
    title: t('repay_drawn_credit'),
    balances: ['credit_drawn_ptk', 'available_ptk'],
    consequences: (amount) => [t('amount_of_the_available_balance_repay', { amount })],
    into: false,
  },
  {
    label: t('repay_losses'),
    path: 'recovery-repayments',
    title: t('repay_losses'),
    balances: ['recovery_ptk', 'available_ptk'],
    fields: sourceFields,
    consequences: (amount, name, values) => [
      values.source === 'available'
        ? t('amount_of_the_available_balance_repay_losses', { amount, name })
        : t('name_has_repaid_amount_owed_from', { name, amount }),
    ],
    body: sourceOf,
    into: true,
  },
  {
    label: t('write_off_losses'),
    path: 'recovery-write-offs',
    title: t('write_off_losses'),
    balances: ['recovery_ptk'],
    fields: [reasonField],
    consequences: (amount, name) => [
      t('name_no_longer_owes_amount', { name, amount }),
      t('the_platform_bears_the_loss_this'),
    ],
    body: (values) => ({ reason: textOf(values, 'reason') }),
    into: false,
    danger: true,
  },
];

const amountIn = (values: Values): string => {
  const minor = ptkMinorOf(textOf(values, 'amount_ptk'));
  return `${minor === null ? '…' : ptkText(minor)} PTK`;
};

/** The actions on a merchant's wallet. */
export function WalletActions({
  merchant_no,
  name,
  wallet,
}: {
  merchant_no: string;
  name: string;
  wallet: MerchantWallet | undefined;
}) {
  return (
    <>
      {moves.map((move) => (
        <PlatformAction
          allows="money"
          key={move.path}
          label={move.label}
          icon={move.into ? <IconArrowDownLeft size={16} /> : <IconArrowUpRight size={16} />}
          title={move.title}
          about={wallet && <Balances wallet={wallet} of={move.balances} />}
          confirm={move.label}
          danger={move.danger}
          fields={[ptkField(), ...(move.fields ?? []), referenceField]}
          consequences={(values) =>
            move.consequences(
              amountIn(values),
              name,
              values,
              wallet !== undefined && BigInt(wallet.recovery_ptk) > 0n,
            )
          }
          submit={(values) =>
            adminCall<MerchantWallet>('POST', `/merchants/${part(merchant_no)}/${move.path}`, {
              body: {
                amount_ptk: ptkOf(values),
                reference: textOf(values, 'reference'),
                ...move.body?.(values),
              },
            })
          }
          done={() => t('booked')}
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
      label={t('change_credit_limit')}
      title={t('credit_limit')}
      confirm={t('set')}
      fields={[
        {
          ...ptkField('limit', t('limit')),
          initial: limit.replace(/\.?0+$/, ''),
          check: (value) => (ptkMinorOf(String(value)) === null ? t('enter_an_amount_with_at_most') : null),
        },
        reasonField,
      ]}
      consequences={() => [t('if_the_balance_is_too_low')]}
      submit={(values) =>
        adminCall<Merchant>('PATCH', `/merchants/${part(merchant.merchant_no)}`, {
          body: { credit_limit_ptk: ptkOf(values, 'limit'), reason: textOf(values, 'reason') },
        })
      }
      done={() => t('credit_limit_saved')}
    />
  );
}

/** Opens or closes a merchant. */
export function StatusChange({ merchant }: { merchant: Merchant }) {
  const closes = merchant.status === 'active';
  return (
    <PlatformAction
      allows="administer"
      label={closes ? t('deactivate') : t('activate')}
      icon={<IconPower size={16} />}
      color={closes ? 'red' : 'teal'}
      title={
        closes ? t('deactivate_name', { name: merchant.name }) : t('activate_name', { name: merchant.name })
      }
      confirm={closes ? t('deactivate') : t('activate')}
      danger={closes}
      fields={[reasonField]}
      consequences={() =>
        closes
          ? [t('it_can_no_longer_create_orders'), t('its_balances_do_not_change')]
          : [t('it_can_create_orders_again_and')]
      }
      submit={(values) =>
        adminCall<Merchant>('PATCH', `/merchants/${part(merchant.merchant_no)}`, {
          body: { status: closes ? 'inactive' : 'active', reason: textOf(values, 'reason') },
        })
      }
      done={() => (closes ? t('merchant_deactivated') : t('merchant_activated'))}
    />
  );
}
