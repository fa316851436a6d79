import { Alert, Button, Group, Select, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconKey, IconPencil, IconPower, IconReportMoney } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useParam } from '../../components/list/view-state.ts';
import { useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { adminCall, type Channel, type Payout, useAdminList } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { isDecimal, isOn, listOf, optional, referenceField, textOf } from '../../components/dialog/fields.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty, Failure, Skeletons } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Time } from '../../components/values/time.tsx';
import { ChannelBadges } from './channels-screen.tsx';
import { draftsOf, FeeEditor, feesOf } from '../fees/fee-fields.tsx';
import { FeeSimulator } from '../fees/fee-simulator.tsx';
import { Grants } from './grants.tsx';
import { useCurrencies, useMerchantName } from '../names.ts';

const saveChannel = (payment_no: string, body: Record<string, unknown>): Promise<Channel> =>
  adminCall<Channel>('PATCH', `/channels/${part(payment_no)}`, { body });

/** One way to pay: its account, its fees, and who may test it. */
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
      <Account channel={channel} />
      <Fees key={JSON.stringify(channel.fees)} channel={channel} />
      {channel.test_mode && <Grants channel={channel} />}
    </Page>
  );
}

function Enablement({ channel }: { channel: Channel }) {
  const { enabled, name, payment_no } = channel;
  return (
    <ActionButton
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

function Account({ channel }: { channel: Channel }) {
  const nameOf = useMerchantName();
  const { config, merchant_no, payment_no } = channel;
  const isSet = (set: boolean) => (set ? 'Set' : 'Missing');
  return (
    <Panel
      title="Account"
      actions={
        <>
          <Edit channel={channel} />
          {config !== undefined && <Payouts channel={channel} />}
          {config !== undefined && (
            <ActionButton
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

function Edit({ channel }: { channel: Channel }) {
  const currencies = useCurrencies().map(({ code }) => ({ value: code, label: code }));
  const isCard = channel.provider === 'cardprov';
  return (
    <ActionButton
      label="Edit"
      icon={<IconPencil size={16} />}
      title={`Edit ${channel.name}`}
      confirm="Save"
      fields={[
        { name: 'name', label: 'Name', required: true, initial: channel.name },
        {
          name: 'currency',
          label: 'Shown in',
          kind: 'choice',
          required: true,
          initial: channel.currency,
          choices: currencies,
        },
        {
          name: 'supported_currencies',
          label: 'Charges in',
          kind: 'choices',
          initial: channel.supported_currencies,
          choices: currencies,
          when: () => isCard,
        },
        {
          name: 'login_required',
          label: 'Buyers always sign in',
          kind: 'switch',
          initial: channel.login_required,
        },
        {
          name: 'test_mode',
          label: 'A test channel: no real money',
          kind: 'switch',
          initial: channel.test_mode,
        },
        {
          name: 'api_base',
          label: 'Provider’s address',
          initial: channel.config?.api_base ?? '',
          when: () => isCard,
        },
        {
          name: 'secret_key',
          label: 'Secret key',
          kind: 'password',
          about: 'Empty: stays as it is.',
          when: () => isCard,
        },
        {
          name: 'webhook_secret',
          label: 'Webhook secret',
          kind: 'password',
          about: 'Empty: stays as it is.',
          when: () => isCard,
        },
      ]}
      submit={(values) =>
        saveChannel(channel.payment_no, {
          name: textOf(values, 'name'),
          currency: textOf(values, 'currency'),
          login_required: isOn(values, 'login_required'),
          test_mode: isOn(values, 'test_mode'),
          ...(isCard
            ? {
                supported_currencies: listOf(values, 'supported_currencies'),
                config: {
                  ...optional(values, 'api_base'),
                  ...optional(values, 'secret_key'),
                  ...optional(values, 'webhook_secret'),
                },
              }
            : {}),
        })
      }
      done={() => 'Saved.'}
    />
  );
}

const Payouts = ({ channel }: { channel: Channel }) => (
  <ActionButton
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

/** The fees, and what they make of an amount, before they are saved. */
function Fees({ channel }: { channel: Channel }) {
  const currencies = useCurrencies();
  return currencies.length === 0 ? <Skeletons lines={4} /> : <FeesOf channel={channel} />;
}

function FeesOf({ channel }: { channel: Channel }) {
  const currencies = useCurrencies();
  const decimalsOf = (code: string) => currencies.find((one) => one.code === code)?.decimals ?? 0;
  const stored = draftsOf(channel.fees, decimalsOf);
  const [drafts, setDrafts] = useState(stored);
  const [tried, setTried] = useState(stored[0]?.currency ?? '');
  const queries = useQueryClient();
  const fees = feesOf(drafts, decimalsOf);
  const save = useMutation({
    mutationFn: () => saveChannel(channel.payment_no, { fees }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['platform', '/channels'] });
      notifications.show({ color: 'teal', message: 'The fees are saved. They hold for orders from now on.' });
    },
  });
  const isChanged = JSON.stringify(drafts) !== JSON.stringify(stored);
  const shown = drafts.find(({ currency }) => currency === tried) ?? drafts[0];
  return (
    <>
      <Panel
        title="Fees"
        about="For each currency: what the buyer pays on top, and what the merchant gives up. A currency without fees cannot be paid."
        actions={
          <Button
            disabled={!isChanged || fees === null}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            Save the fees
          </Button>
        }
      >
        <Stack>
          {save.isError && (
            <Alert color="red" role="alert" title="Not saved">
              {messageOf(save.error)}
            </Alert>
          )}
          <FeeEditor value={drafts} currencies={currencies} onChange={setDrafts} />
        </Stack>
      </Panel>
      {shown !== undefined && shown.currency !== '' && (
        <Panel
          title="Simulator"
          about="With the fees as they stand above, saved or not."
          actions={
            <Group>
              <Select
                aria-label="Currency to try"
                data={drafts.map(({ currency }) => currency).filter((code) => code !== '')}
                value={shown.currency}
                onChange={(code) => setTried(code ?? '')}
                w={110}
              />
            </Group>
          }
        >
          <FeeSimulator fees={shown} decimals={decimalsOf(shown.currency)} />
        </Panel>
      )}
    </>
  );
}
