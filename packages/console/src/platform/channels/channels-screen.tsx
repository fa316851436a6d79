import { Badge, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { adminCall, type Channel, useAdminList } from '../../api/admin.ts';
import { PlatformAction } from '../allowed.tsx';
import { isOn, listOf, textOf } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Status } from '../../components/values/status.tsx';
import { merchantFinder, useCurrencies, useMerchantName } from '../lookups.ts';

/** The state of a channel in two words. */
export const ChannelBadges = ({ channel }: { channel: Channel }) => (
  <Group gap={6}>
    <Status value={channel.enabled ? 'enabled' : 'disabled'} />
    {channel.test_mode && (
      <Badge color="violet" variant="light" radius="sm" tt="none">
        Test
      </Badge>
    )}
  </Group>
);

/** The screen of all channels. */
export function ChannelsScreen() {
  const list = useAdminList<Channel>('/channels');
  const nameOf = useMerchantName();
  const navigate = useNavigate();
  const columns: Column<Channel>[] = [
    {
      header: 'Channel',
      wide: true,
      cell: ({ payment_no, name }) => (
        <AppLink to="/platform/channels/$payment_no" params={{ payment_no }} fw={600} className="wrap">
          {name}
        </AppLink>
      ),
    },
    { header: 'State', cell: (channel) => <ChannelBadges channel={channel} /> },
    { header: 'Pays by', cell: ({ provider }) => (provider === 'ptk' ? 'PTK wallet' : 'Card') },
    {
      header: 'Account of',
      cell: ({ merchant_no }) => (merchant_no === null ? 'The platform' : nameOf(merchant_no)),
    },
    { header: 'Currencies', cell: ({ fees }) => fees.map(({ currency }) => currency).join(', ') || 'None' },
    { header: 'Number', cell: ({ payment_no }) => <Identifier value={payment_no} name="channel number" /> },
  ];
  return (
    <Page
      title="Channels"
      about="The ways to pay that buyers are offered, and what each costs."
      actions={<NewChannel />}
    >
      <DataTable
        name="Channels"
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ payment_no }) => payment_no}
        onOpen={({ payment_no }) => {
          void navigate({ to: '/platform/channels/$payment_no', params: { payment_no } });
        }}
        empty={<Empty title="No channels yet">Without one, nobody can pay.</Empty>}
      />
    </Page>
  );
}

function NewChannel() {
  const currencies = useCurrencies().map(({ code }) => ({ value: code, label: code }));
  const navigate = useNavigate();
  return (
    <PlatformAction
      allows="administer"
      label="New channel"
      variant="filled"
      icon={<IconPlus size={16} />}
      title="New channel"
      confirm="Create"
      about="It starts disabled. Set its fees next: a currency without fees cannot be paid."
      fields={[
        { name: 'name', label: 'Name', about: 'Buyers see it.', required: true },
        {
          name: 'provider',
          label: 'Pays by',
          kind: 'choice',
          required: true,
          initial: 'cardprov',
          choices: [
            { value: 'cardprov', label: 'Card' },
            { value: 'ptk', label: 'PTK wallet' },
          ],
        },
        {
          name: 'merchant_no',
          label: 'Account of',
          about: 'Empty: the platform’s own.',
          kind: 'choice',
          finder: merchantFinder,
        },
        { name: 'currency', label: 'Shown in', kind: 'choice', required: true, choices: currencies },
        {
          name: 'supported_currencies',
          label: 'Charges in',
          kind: 'choices',
          choices: currencies,
          when: (values) => values.provider === 'cardprov',
        },
        { name: 'test_mode', label: 'A test channel: no real money', kind: 'switch' },
      ]}
      submit={async (values) => {
        const merchant_no = textOf(values, 'merchant_no');
        const channel = await adminCall<Channel>('POST', '/channels', {
          body: {
            owner: merchant_no === '' ? 'platform' : 'merchant',
            ...(merchant_no === '' ? {} : { merchant_no }),
            name: textOf(values, 'name'),
            provider: textOf(values, 'provider'),
            currency: textOf(values, 'currency'),
            supported_currencies: listOf(values, 'supported_currencies'),
            test_mode: isOn(values, 'test_mode'),
            enabled: false,
            fees: [],
          },
        });
        void navigate({ to: '/platform/channels/$payment_no', params: { payment_no: channel.payment_no } });
        return channel;
      }}
      done={({ name }) => `${name} is there, and not enabled yet.`}
    />
  );
}
