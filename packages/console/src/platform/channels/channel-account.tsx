import { IconKey, IconReportMoney } from '@tabler/icons-react';
import { adminCall, type Channel, type Payout } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { isDecimal, referenceField, textOf } from '../../components/dialog/fields.ts';
import { Panel } from '../../components/page/panel.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Time } from '../../components/values/time.tsx';
import { useMerchantName } from '../lookups.ts';
import { ChannelEdit } from './channel-edit.tsx';

/** The channel's account with its provider, and its actions. */
export function ChannelAccount({ channel }: { channel: Channel }) {
  const nameOf = useMerchantName();
  const { config, merchant_no, payment_no } = channel;
  const isSet = (set: boolean) => (set ? 'Set' : 'Missing');
  return (
    <Panel
      title="Account"
      actions={
        <>
          <ChannelEdit channel={channel} />
          {config !== undefined && <Payouts channel={channel} />}
          {config !== undefined && (
            <PlatformAction
              allows="administer"
              label="Rotate the webhook secret"
              icon={<IconKey size={16} />}
              title="Rotate the webhook secret"
              confirm="Rotate"
              fields={[
                {
                  name: 'webhook_secret',
                  label: 'New secret, from the provider',
                  kind: 'password',
                  required: true,
                },
              ]}
              consequences={() => ['The secret before stays valid for 24 hours.']}
              submit={(values) =>
                adminCall<Channel>('POST', `/channels/${part(payment_no)}/webhook-secret-rotation`, {
                  body: { webhook_secret: textOf(values, 'webhook_secret') },
                })
              }
              done={() => 'Rotated.'}
            />
          )}
        </>
      }
    >
      <Facts
        of={[
          ['Pays by', channel.provider === 'ptk' ? 'PTK wallet' : 'Card'],
          ['Account of', merchant_no === null ? 'The platform' : nameOf(merchant_no)],
          ['Buyers sign in', channel.login_required ? 'Always' : 'Where the merchant asks for it'],
          ['Shown in', channel.currency],
          ['Charges in', channel.supported_currencies.join(', ') || '–'],
          ['Provider’s address', config?.api_base],
          [
            'Secret key',
            config === undefined
              ? undefined
              : `${isSet(config.secret_key_set)}${config.live_key ? ', moves real money' : ''}`,
          ],
          ['Webhook secret', config === undefined ? undefined : isSet(config.webhook_secret_set)],
          [
            'Webhook address',
            channel.webhook_url === undefined ? undefined : (
              <Identifier key="webhook" value={channel.webhook_url} name="webhook address" />
            ),
          ],
          ['Since', <Time key="since" at={channel.created_at} />],
        ]}
      />
    </Panel>
  );
}

const Payouts = ({ channel }: { channel: Channel }) => (
  <PlatformAction
    allows="money"
    label="Report a payout"
    icon={<IconReportMoney size={16} />}
    title="A payout of the card provider"
    confirm="Book"
    fields={[
      { name: 'currency', label: 'Currency', required: true, initial: channel.currency },
      { name: 'amount', label: 'Amount before fees', required: true, check: (value) => isDecimal(value) },
      {
        name: 'fees',
        label: 'The provider’s fees',
        required: true,
        initial: '0',
        check: (value) => isDecimal(value),
      },
      referenceField,
    ]}
    consequences={(values) => [
      `${textOf(values, 'amount') || 'The amount'} ${textOf(values, 'currency')} have reached the bank, less ${textOf(values, 'fees')} of fees.`,
      'The provider owes that much less.',
    ]}
    submit={(values) =>
      adminCall<Payout>('POST', `/channels/${part(channel.payment_no)}/payouts`, {
        body: {
          amount: textOf(values, 'amount'),
          fees: textOf(values, 'fees'),
          currency: textOf(values, 'currency'),
          reference: textOf(values, 'reference'),
        },
      })
    }
    done={() => 'Booked.'}
  />
);
