import { methodTypeName, namedMethodTypes } from '@paydesk/checkout/method-names';
import { IconPencil } from '@tabler/icons-react';
import type { Channel } from '../../api/admin.ts';
import { type Field, listOf, textOf, type Values } from '../../components/dialog/fields.ts';
import { Panel } from '../../components/page/panel.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { language, languages } from '../../texts/language.ts';
import { textsOf } from '../../texts/texts.ts';
import { PlatformAction } from '../allowed.tsx';
import { saveChannel } from './save-channel.ts';

const t = textsOf('platform-channels');

const methodName = (type: string): string => methodTypeName(type, language as Locale);
type Locale = Parameters<typeof methodTypeName>[1];

/** What buyers see of a channel: its name in each language (D-264), and the provider's methods that it offers (D-260). */
export function ChannelCheckout({ channel }: { channel: Channel }) {
  const { names, config } = channel;
  const methods = config?.payment_method_types.map(methodName) ?? [];
  return (
    <Panel
      title={t('at_the_checkout')}
      about={t('what_buyers_see_of_this_channel')}
      actions={<CheckoutEdit channel={channel} />}
    >
      <Facts
        of={[
          [t('name'), channel.name],
          ...languages.map(([tag, name]): [string, string | undefined] => [
            t('name_in_language', { language: name }),
            nameIn(names, tag),
          ]),
          [
            t('methods_of_the_provider'),
            config === undefined ? undefined : methods.join(', ') || t('the_account_decides'),
          ],
        ]}
      />
    </Panel>
  );
}

const nameIn = (names: Readonly<Record<string, string | undefined>>, tag: string): string | undefined =>
  names[tag];

function CheckoutEdit({ channel }: { channel: Channel }) {
  return (
    <PlatformAction
      allows="administer"
      label={t('edit_the_checkout')}
      icon={<IconPencil size={16} />}
      title={t('edit_name', { name: channel.name })}
      about={t('buyers_see_name_in_other_languages', { name: channel.name })}
      confirm={t('save')}
      fields={fieldsOf(channel)}
      submit={(values) => saveChannel(channel.payment_no, changeOf(channel, values))}
      done={() => t('saved')}
    />
  );
}

/** The fields of names are called as their languages are: the service refuses `names.de`. */
const fieldsOf = ({ names, config }: Channel): Field[] => [
  ...languages.map(([tag, name]) => ({
    name: tag,
    label: t('name_in_language', { language: name }),
    initial: nameIn(names, tag) ?? '',
  })),
  {
    name: 'payment_method_types',
    label: t('methods_of_the_provider'),
    about: t('methods_in_this_order'),
    kind: 'choices',
    initial: config?.payment_method_types ?? [],
    choices: namedMethodTypes.map((type) => ({ value: type, label: methodName(type) })),
    when: () => config !== undefined,
  },
];

function changeOf({ config }: Channel, values: Values): Record<string, unknown> {
  const named = languages.map(([tag]) => [tag, textOf(values, tag)]).filter(([, name]) => name !== '');
  const payment_method_types = listOf(values, 'payment_method_types');
  return {
    names: Object.fromEntries(named) as Record<string, string>,
    ...(config === undefined ? {} : { config: { payment_method_types } }),
  };
}
