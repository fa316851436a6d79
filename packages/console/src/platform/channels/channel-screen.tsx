import { IconPower } from '@tabler/icons-react';
import { type Channel, useAdminList } from '../../api/admin.ts';
import { PlatformAction } from '../allowed.tsx';
import { useParam } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty, Failure, Skeletons } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { ChannelAccount } from './channel-account.tsx';
import { ChannelFees } from './channel-fees.tsx';
import { ChannelBadges } from './channels-screen.tsx';
import { Grants } from './grants.tsx';
import { saveChannel } from './save-channel.ts';

/** The screen of one channel: its account, its fees, and who may test it. */
export function ChannelScreen() {
  const payment_no = useParam('payment_no');
  const list = useAdminList<Channel>('/channels', { limit: 100 });
  const channel = list.rows.find((one) => one.payment_no === payment_no);
  const above = <AppLink to="/platform/channels">Channels</AppLink>;
  if (channel === undefined) {
    return (
      <Page title="Channel" above={above}>
        {list.query.isError ? (
          <Failure error={list.query.error} />
        ) : list.query.isPending ? (
          <Skeletons lines={6} />
        ) : (
          <Empty title="There is no such channel" />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={channel.name}
      above={above}
      beside={<ChannelBadges channel={channel} />}
      about={<Identifier value={payment_no} name="channel number" />}
      actions={<Enablement channel={channel} />}
    >
      <ChannelAccount channel={channel} />
      <ChannelFees key={JSON.stringify(channel.fees)} channel={channel} />
      {channel.test_mode && <Grants channel={channel} />}
    </Page>
  );
}

function Enablement({ channel }: { channel: Channel }) {
  const { enabled, name, payment_no } = channel;
  return (
    <PlatformAction
      allows="administer"
      label={enabled ? 'Disable' : 'Enable'}
      icon={<IconPower size={16} />}
      color={enabled ? 'red' : 'teal'}
      title={enabled ? `Disable ${name}` : `Enable ${name}`}
      confirm={enabled ? 'Disable' : 'Enable'}
      danger={enabled}
      consequences={() =>
        enabled
          ? ['Nobody can start a payment here.', 'Payments under way are followed to their end.']
          : ['Buyers are offered this channel at once, where its fees and its owner allow it.']
      }
      submit={() => saveChannel(payment_no, { enabled: !enabled })}
      done={() => (enabled ? 'Disabled.' : 'Enabled.')}
    />
  );
}
