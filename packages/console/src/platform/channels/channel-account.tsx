import { IconKey, IconReportMoney } from '@tabler/icons-react';
import { adminCall, type Channel, type Payout } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { currencyOf, referenceField, textOf } from '../../components/dialog/fields.ts';
import { Panel } from '../../components/page/panel.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Time } from '../../components/values/time.tsx';
import { useMerchantName } from '../lookups.ts';
import { ChannelEdit } from './channel-edit.tsx';
import { decimalText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-channels');

/** The channel's account with its provider, and its actions. */
export function ChannelAccount({ channel }: { channel: Channel }) {
  const nameOf = useMerchantName();
  const { config, merchant_no, payment_no } = channel;
  const isSet = (set: boolean) => (set ? t('set') : t('missing'));
  return (
    <Panel
      title={t('provider_account')}
      actions={
        <>
          <ChannelEdit channel={channel} />
          {config !== undefined && <Payouts channel={channel} />}
          {config !== undefined && (
            <PlatformAction
              allows="administer"
              label={t('rotate_the_webhook_secret')}
              icon={<IconKey size={16} />}
              title={t('rotate_the_webhook_secret')}
              confirm={t('rotate')}
              fields={[
                {
                  name: 'webhook_secret',
                  label: t('new_secret_from_the_provider'),
                  kind: 'password',
                  required: true,
                },
              ]}
              consequences={() => [t('the_previous_secret_stays_valid_for')]}
              submit={(values) =>
                adminCall<Channel>('POST', `/channels/${part(payment_no)}/webhook-secret-rotation`, {
                  body: { webhook_secret: textOf(values, 'webhook_secret') },
                })
              }
              done={() => t('secret_rotated')}
            />
          )}
        </>
      }
    >
      <Facts
        of={[
          [t('method'), channel.provider === 'ptk' ? t('ptk_wallet') : t('card')],
          [t('owner'), merchant_no === null ? t('platform') : nameOf(merchant_no)],
          [t('sign_in_required'), channel.login_required ? t('always') : t('if_the_merchant_requires_it')],
          [t('display_currency'), channel.currency],
          [t('charge_currency'), channel.supported_currencies.join(', ') || '–'],
          [t('provider_api_address'), config?.api_base],
          [
            t('secret_key'),
            config === undefined
              ? undefined
              : config.live_key
                ? t('set_live_key_moves_real_money')
                : isSet(config.secret_key_set),
          ],
          [t('webhook_secret'), config === undefined ? undefined : isSet(config.webhook_secret_set)],
          [
            t('webhook_address'),
            channel.webhook_url === undefined ? undefined : (
              <Identifier key="webhook" value={channel.webhook_url} name={t('webhook_address_2')} />
            ),
          ],
          [t('since'), <Time key="since" at={channel.created_at} />],
        ]}
      />
    </Panel>
  );
}

const Payouts = ({ channel }: { channel: Channel }) => (
  <PlatformAction
    allows="money"
    label={t('record_provider_payout')}
    icon={<IconReportMoney size={16} />}
    title={t('payout_from_the_card_provider')}
    confirm={t('record')}
    fields={[
      { name: 'currency', label: t('currency'), required: true, initial: channel.currency },
      { name: 'amount', label: t('gross_amount'), required: true, kind: 'amount' },
      {
        name: 'fees',
        label: t('provider_fees'),
        required: true,
        initial: '0',
        kind: 'amount',
      },
      referenceField,
    ]}
    consequences={(values) => [
      t('amount_currency_have_reached_the_bank', {
        amount: decimalText(textOf(values, 'amount')) || '…',
        currency: currencyOf(values),
        fees: decimalText(textOf(values, 'fees')),
      }),
      t('the_amount_owed_by_the_provider'),
    ]}
    submit={(values) =>
      adminCall<Payout>('POST', `/channels/${part(channel.payment_no)}/payouts`, {
        body: {
          amount: textOf(values, 'amount'),
          fees: textOf(values, 'fees'),
          currency: currencyOf(values),
          reference: textOf(values, 'reference'),
        },
      })
    }
    done={() => t('payout_recorded')}
  />
);
