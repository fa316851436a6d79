import { Alert } from '@mantine/core';
import { IconPower } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { adminQuery, type Channel } from '../../api/admin.ts';
import { ApiError } from '../../api/api-error.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { useParam } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty, Failure, Skeletons } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { ChannelAccount } from './channel-account.tsx';
import { ChannelCheckout } from './channel-checkout.tsx';
import { ChannelFees } from './channel-fees.tsx';
import { ChannelBadges } from './channels-screen.tsx';
import { Grants } from './grants.tsx';
import { saveChannel } from './save-channel.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-channels');

/** The screen of one channel: its account, what buyers see of it, its fees, and who may test it. */
export function ChannelScreen() {
  const payment_no = useParam('payment_no');
  const { data: channel, error, refetch } = useQuery(adminQuery<Channel>(`/channels/${part(payment_no)}`));
  const above = <AppLink to="/platform/channels">{t('channels')}</AppLink>;
  if (channel === undefined) {
    return (
      <Page title={t('channel')} above={above}>
        {error === null ? (
          <Skeletons lines={6} />
        ) : error instanceof ApiError && error.status === 404 ? (
          <Empty title={t('this_channel_does_not_exist')} />
        ) : (
          <Failure error={error} retry={() => void refetch()} />
        )}
      </Page>
    );
  }
  const missing = missingIn(channel);
  return (
    <Page
      title={channel.name}
      above={above}
      beside={<ChannelBadges channel={channel} />}
      about={<Identifier value={payment_no} name={t('channel_id')} />}
      actions={<Enablement channel={channel} missing={missing} />}
    >
      {missing !== '' && <Alert color="orange">{t('buyers_see_it_once_set', { missing })}</Alert>}
      <ChannelAccount channel={channel} />
      <ChannelCheckout channel={channel} />
      <ChannelFees key={payment_no} channel={channel} />
      {channel.test_mode && <Grants channel={channel} />}
    </Page>
  );
}

function Enablement({ channel, missing }: { channel: Channel; missing: string }) {
  const { enabled, name, payment_no } = channel;
  return (
    <PlatformAction
      allows="administer"
      label={enabled ? t('disable') : t('enable')}
      icon={<IconPower size={16} />}
      color={enabled ? 'red' : 'teal'}
      title={enabled ? t('disable_name', { name }) : t('enable_name', { name })}
      confirm={enabled ? t('disable') : t('enable')}
      danger={enabled}
      consequences={() =>
        enabled
          ? [t('no_one_can_start_a_payment'), t('payments_in_progress_are_completed')]
          : [missing === '' ? t('buyers_see_this_channel_at_once') : t('buyers_see_it_once_set', { missing })]
      }
      submit={() => saveChannel(payment_no, { enabled: !enabled })}
      done={() => (enabled ? t('channel_disabled') : t('channel_enabled'))}
    />
  );
}

/** Names what a channel lacks before any buyer can see it (D-1454); '' if it lacks nothing. */
function missingIn({
  provider,
  config,
  supported_currencies,
  fees,
  test_mode,
  debug_grants,
}: Channel): string {
  const { merchants, users } = debug_grants;
  const missing = [
    ...(config?.secret_key_set === false ? [t('secret_key')] : []),
    ...(config?.webhook_secret_set === false ? [t('webhook_secret')] : []),
    ...(provider === 'cardprov' && supported_currencies.length === 0 ? [t('charge_currency')] : []),
    ...(fees.length === 0 ? [t('fees')] : []),
    ...(test_mode && merchants.length + users.length === 0 ? [t('test_access')] : []),
  ];
  return missing.join(', ');
}
