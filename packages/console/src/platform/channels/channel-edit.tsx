import { IconPencil } from '@tabler/icons-react';
import type { Channel } from '../../api/admin.ts';
import { PlatformAction } from '../allowed.tsx';
import { type Field, isOn, listOf, optional, textOf, type Values } from '../../components/dialog/fields.ts';
import type { Choice } from '../../components/dialog/finder.tsx';
import { useCurrencies } from '../lookups.ts';
import { saveChannel } from './save-channel.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-channels');

/** The button that edits a channel; names and methods, fees and grants have panels of their own. */
export function ChannelEdit({ channel }: { channel: Channel }) {
  const currencies = useCurrencies().map(({ code }) => ({ value: code, label: code }));
  return (
    <PlatformAction
      allows="administer"
      label={t('edit')}
      icon={<IconPencil size={16} />}
      title={t('edit_name', { name: channel.name })}
      confirm={t('save')}
      fields={fieldsOf(channel, currencies)}
      submit={(values) => saveChannel(channel.payment_no, changeOf(channel, values))}
      done={() => t('saved')}
    />
  );
}

const isCard = ({ provider }: Channel): boolean => provider === 'cardprov';

function fieldsOf(channel: Channel, currencies: Choice[]): Field[] {
  const when = () => isCard(channel);
  return [
    { name: 'name', label: t('name'), required: true, initial: channel.name },
    {
      name: 'currency',
      label: t('display_currency'),
      kind: 'choice',
      required: true,
      initial: channel.currency,
      choices: currencies,
      when,
    },
    {
      name: 'supported_currencies',
      label: t('charge_currency'),
      kind: 'choices',
      initial: channel.supported_currencies,
      choices: currencies,
      when,
    },
    {
      name: 'login_required',
      label: t('buyers_must_always_sign_in'),
      kind: 'switch',
      initial: channel.login_required,
    },
    {
      name: 'test_mode',
      label: t('test_mode_no_real_money'),
      kind: 'switch',
      initial: channel.test_mode,
      when,
    },
    {
      name: 'api_base',
      label: t('provider_api_address'),
      initial: channel.config?.api_base ?? '',
      when,
    },
    {
      name: 'secret_key',
      label: t('secret_key'),
      kind: 'password',
      about: t('leave_empty_to_keep_the_current'),
      when,
    },
    {
      name: 'webhook_secret',
      label: t('webhook_secret'),
      kind: 'password',
      about: t('leave_empty_to_keep_the_current'),
      when,
    },
  ];
}

function changeOf(channel: Channel, values: Values): Record<string, unknown> {
  return {
    name: textOf(values, 'name'),
    login_required: isOn(values, 'login_required'),
    ...(isCard(channel)
      ? {
          currency: textOf(values, 'currency'),
          test_mode: isOn(values, 'test_mode'),
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
