import { Badge, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { adminCall, type Channel, useAdminList } from '../../api/admin.ts';
import { PlatformAction } from '../allowed.tsx';
import { isOn, listOf, textOf, type Values } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Status } from '../../components/values/status.tsx';
import { merchantFinder, useCurrencies, useMerchantName } from '../lookups.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-channels');

/** The state of a channel in two words. */
export const ChannelBadges = ({ channel }: { channel: Channel }) => (
  <Group gap={6}>
    <Status value={channel.enabled ? 'enabled' : 'disabled'} />
    {channel.test_mode && (
      <Badge color="violet" variant="light" radius="sm" tt="none">
        {t('test')}
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
      header: t('channel'),
      wide: true,
      cell: ({ payment_no, name }) => (
        <AppLink to="/platform/channels/$payment_no" params={{ payment_no }} fw={600} className="wrap">
          {name}
        </AppLink>
      ),
    },
    { header: t('status'), cell: (channel) => <ChannelBadges channel={channel} /> },
    { header: t('method'), cell: ({ provider }) => (provider === 'ptk' ? t('ptk_wallet') : t('card')) },
    {
      header: t('owner'),
      cell: ({ merchant_no }) => (merchant_no === null ? t('platform') : nameOf(merchant_no)),
    },
    {
      header: t('currencies'),
      cell: ({ fees }) => fees.map(({ currency }) => currency).join(', ') || t('none'),
    },
    {
      header: t('channel_id_2'),
      cell: ({ payment_no }) => <Identifier value={payment_no} name={t('channel_id')} />,
    },
  ];
  return (
    <Page title={t('channels')} about={t('the_payment_methods_offered_to_buyers')} actions={<NewChannel />}>
      <DataTable
        name={t('channels')}
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ payment_no }) => payment_no}
        onOpen={({ payment_no }) => {
          void navigate({ to: '/platform/channels/$payment_no', params: { payment_no } });
        }}
        empty={<Empty title={t('no_channels_yet')}>{t('create_a_channel_so_that_buyers')}</Empty>}
      />
    </Page>
  );
}

const isCard = (values: Values): boolean => values.provider === 'cardprov';

function cardSettings(values: Values) {
  const merchant_no = textOf(values, 'merchant_no');
  const currency = textOf(values, 'currency');
  const chosen = listOf(values, 'supported_currencies');
  return {
    ...(merchant_no === '' ? { owner: 'platform' } : { owner: 'merchant', merchant_no }),
    currency,
    // Without one, no order could be paid (D-1454).
    supported_currencies: chosen.length === 0 ? [currency] : chosen,
    test_mode: isOn(values, 'test_mode'),
  };
}

/** What the service takes of a PTK channel, and nothing else (D-1343). */
const ptkSettings = { owner: 'platform', currency: 'PTK', supported_currencies: [], test_mode: false };

function NewChannel() {
  const currencies = useCurrencies().map(({ code }) => ({ value: code, label: code }));
  const navigate = useNavigate();
  return (
    <PlatformAction
      allows="administer"
      label={t('new_channel')}
      variant="filled"
      icon={<IconPlus size={16} />}
      title={t('new_channel')}
      confirm={t('create')}
      about={t('a_new_channel_is_disabled_set')}
      fields={[
        { name: 'name', label: t('name'), about: t('shown_to_buyers'), required: true },
        {
          name: 'provider',
          label: t('method'),
          kind: 'choice',
          required: true,
          initial: 'cardprov',
          choices: [
            { value: 'cardprov', label: t('card') },
            { value: 'ptk', label: t('ptk_wallet') },
          ],
        },
        {
          name: 'merchant_no',
          label: t('owner'),
          about: t('leave_empty_for_the_platforms_own'),
          kind: 'choice',
          finder: merchantFinder,
          when: isCard,
        },
        {
          name: 'currency',
          label: t('display_currency'),
          kind: 'choice',
          required: true,
          choices: currencies,
          when: isCard,
        },
        {
          name: 'supported_currencies',
          label: t('charge_currency'),
          about: t('leave_empty_for_the_display_currency'),
          kind: 'choices',
          choices: currencies,
          when: isCard,
        },
        { name: 'test_mode', label: t('test_mode_no_real_money'), kind: 'switch', when: isCard },
      ]}
      submit={async (values) => {
        const channel = await adminCall<Channel>('POST', '/channels', {
          body: {
            name: textOf(values, 'name'),
            provider: textOf(values, 'provider'),
            ...(isCard(values) ? cardSettings(values) : ptkSettings),
            enabled: false,
            fees: [],
          },
        });
        void navigate({ to: '/platform/channels/$payment_no', params: { payment_no: channel.payment_no } });
        return channel;
      }}
      done={({ name }) => t('name_was_created_it_is_not', { name })}
    />
  );
}
