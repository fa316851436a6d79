/** Whether people fill their wallets by card, through which merchant, and how much. */
import { adminCall, type PlatformSettings } from '../../api/admin.ts';
import { type Field, isOn, ptkField, ptkOf, textOf, type Values } from '../../components/dialog/fields.ts';
import { Panel } from '../../components/page/panel.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Ptk } from '../../components/values/money.tsx';
import { decimalOf, ptkDecimals, ptkMinorOf } from '../../money/money.ts';
import { textsOf, verbatim } from '../../texts/texts.ts';
import { PlatformAction } from '../allowed.tsx';

const t = textsOf('platform-operation');

type TopUp = PlatformSettings['top_up'];

export function TopUpSettings({ top_up }: { top_up: TopUp }) {
  const { enabled, merchant_no, max_per_payment, max_per_day } = top_up;
  return (
    <Panel title={t('top_ups_by_card')} about={t('top_ups_by_card_about')}>
      <Facts
        of={[
          [t('top_ups_allowed'), enabled ? t('yes') : t('no')],
          [t('top_up_merchant'), merchant_no ?? t('not_set')],
          [t('most_per_top_up'), <Limit key="payment" of={max_per_payment} />],
          [t('most_per_day'), <Limit key="day" of={max_per_day} />],
        ]}
      />
      <ChangeTopUps top_up={top_up} />
    </Panel>
  );
}

const Limit = ({ of: limit }: { of: string | null }) =>
  limit === null ? t('no_limit') : <Ptk minor={limit} />;

const limitField = (name: string, label: string, limit: string | null): Field => ({
  ...ptkField(name, label),
  required: false,
  about: t('empty_no_limit'),
  initial: limit === null ? '' : decimalOf(BigInt(limit), ptkDecimals).replace(/\.?0+$/, ''),
  check: (value) =>
    String(value) === '' || ptkMinorOf(String(value)) !== null ? null : t('enter_an_amount_with_at_most'),
});

const limitOf = (values: Values, name: string): string | null =>
  textOf(values, name) === '' ? null : ptkOf(values, name);

const ChangeTopUps = ({
  top_up: { enabled, merchant_no, max_per_payment, max_per_day },
}: {
  top_up: TopUp;
}) => (
  <PlatformAction
    allows="administer"
    label={t('edit_top_ups')}
    title={t('top_ups_by_card')}
    confirm={t('save')}
    fields={[
      { name: 'enabled', label: t('top_ups_allowed'), kind: 'switch', initial: enabled },
      {
        name: 'merchant_no',
        label: t('top_up_merchant'),
        about: t('top_up_merchant_about'),
        placeholder: verbatim('mr_…'),
        initial: merchant_no ?? '',
      },
      limitField('max_per_payment', t('most_per_top_up'), max_per_payment),
      limitField('max_per_day', t('most_per_day'), max_per_day),
    ]}
    consequences={() => [t('top_ups_applies')]}
    submit={(values) =>
      adminCall<PlatformSettings>('PUT', '/settings', {
        body: {
          top_up: {
            enabled: isOn(values, 'enabled'),
            merchant_no: textOf(values, 'merchant_no') || null,
            max_per_payment: limitOf(values, 'max_per_payment'),
            max_per_day: limitOf(values, 'max_per_day'),
          },
        },
      })
    }
    done={() => t('top_ups_saved')}
  />
);
