import { IconPencil } from '@tabler/icons-react';
import type { Channel } from '../../api/admin.ts';
import { PlatformAction } from '../allowed.tsx';
import { type Field, isOn, listOf, optional, textOf, type Values } from '../../components/dialog/fields.ts';
import type { Choice } from '../../components/dialog/finder.tsx';
import { useCurrencies } from '../lookups.ts';
import { saveChannel } from './save-channel.ts';

/** The button that edits a channel; its fees and its grants have panels of their own. */
export function ChannelEdit({ channel }: { channel: Channel }) {
  const currencies = useCurrencies().map(({ code }) => ({ value: code, label: code }));
  return (
    <PlatformAction
      allows="administer"
      label="Edit"
      icon={<IconPencil size={16} />}
      title={`Edit ${channel.name}`}
      confirm="Save"
      fields={fieldsOf(channel, currencies)}
      submit={(values) => saveChannel(channel.payment_no, changeOf(channel, values))}
      done={() => 'Saved.'}
    />
  );
}

const isCard = ({ provider }: Channel): boolean => provider === 'cardprov';

function fieldsOf(channel: Channel, currencies: Choice[]): Field[] {
  const when = () => isCard(channel);
  return [
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
      when,
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
      when,
    },
    {
      name: 'secret_key',
      label: 'Secret key',
      kind: 'password',
      about: 'Empty: stays as it is.',
      when,
    },
    {
      name: 'webhook_secret',
      label: 'Webhook secret',
      kind: 'password',
      about: 'Empty: stays as it is.',
      when,
    },
  ];
}

function changeOf(channel: Channel, values: Values): Record<string, unknown> {
  return {
    name: textOf(values, 'name'),
    currency: textOf(values, 'currency'),
    login_required: isOn(values, 'login_required'),
    test_mode: isOn(values, 'test_mode'),
    ...(isCard(channel)
      ? {
          supported_currencies: listOf(values, 'supported_currencies'),
          config: {
            ...optional(values, 'api_base'),
            ...optional(values, 'secret_key'),
            ...optional(values, 'webhook_secret'),
          },
        }
      : {}),
  };
}
