/** The form of a scheduled export, new or existing. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { StatementExport, StatementExports, StatementExportTerms } from '../../api/merchants.ts';
import { timeZone } from '../../texts/time-zone.ts';
import { ActionButton, type ActionButtonProps } from '../../components/dialog/action-dialog.tsx';
import { type Field, isOn, listOf, textOf, type Values } from '../../components/dialog/fields.ts';
import { SecretOnce } from '../../components/values/secret-once.tsx';
import { words } from '../../components/values/status.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('wallet');

type Frequency = StatementExport['frequency'];
const frequencies: readonly Frequency[] = ['daily', 'weekly', 'monthly'];

/** UTC and the viewer's zone first. */
const zones = [...new Set(['UTC', timeZone, ...Intl.supportedValuesOf('timeZone')])];

/** Some browsers list zones by former names, which people do not search (D-1357). */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

const zoneChoice = (value: string): { value: string; label: string } => {
  const name = renamed[value];
  return { value, label: name === undefined ? value : `${name} (${value})` };
};

const fieldsOf = (
  { recipients, mail }: Pick<StatementExports, 'recipients' | 'mail'>,
  of: StatementExport | undefined,
): Field[] => [
  {
    ...{ name: 'frequency', label: t('frequency'), kind: 'choice', required: true },
    initial: of?.frequency ?? 'monthly',
    choices: frequencies.map((value) => ({ value, label: words(value) })),
  },
  {
    ...{ name: 'time_zone', label: t('time_zone'), kind: 'choice', required: true },
    about: t('days_begin_and_end_in_this'),
    initial: of?.time_zone ?? 'UTC',
    choices: [...new Set([...zones, of?.time_zone ?? 'UTC'])].map(zoneChoice),
  },
  {
    ...{ name: 'user_ids', label: t('team_members_by_mail'), kind: 'choices' },
    ...(mail ? {} : { about: t('this_service_sends_no_mail') }),
    initial: (of?.user_ids ?? []).filter((id) => recipients.some(({ user_id }) => user_id === id)),
    choices: recipients.map(({ user_id, name, email }) => ({ value: user_id, label: `${name} · ${email}` })),
  },
  {
    ...{ name: 'with_pdf', label: t('attach_the_pdf_as_well'), kind: 'switch' },
    initial: of?.with_pdf ?? true,
    when: (values) => listOf(values, 'user_ids').length > 0,
  },
  {
    ...{ name: 'url', label: t('https_address'), kind: 'url' },
    about: t('gets_the_csv_as_a_signed'),
    // Said before the service asks for a proof of identity (D-691).
    needed: (values) => (listOf(values, 'user_ids').length > 0 ? null : t('choose_a_team_member_or_enter')),
    initial: of?.url ?? '',
  },
];

const termsOf = (values: Values, paused: boolean): StatementExportTerms => ({
  frequency: textOf(values, 'frequency') as Frequency,
  time_zone: textOf(values, 'time_zone'),
  user_ids: listOf(values, 'user_ids'),
  with_pdf: isOn(values, 'with_pdf'),
  url: textOf(values, 'url') || null,
  paused,
});

type ButtonProps = ActionButtonProps<StatementExport>;

interface ExportFormProps extends Pick<
  ButtonProps,
  'label' | 'icon' | 'variant' | 'size' | 'title' | 'refresh'
> {
  known: Pick<StatementExports, 'recipients' | 'mail'>;
  /** The export that is changed; a new one if absent. */
  of?: StatementExport;
  save: (terms: StatementExportTerms) => Promise<StatementExport>;
}

export const ExportForm = ({ known, of, save, ...button }: ExportFormProps) => (
  <ActionButton
    {...button}
    confirm={t('save')}
    fields={fieldsOf(known, of)}
    submit={(values) => save(termsOf(values, of?.paused ?? false))}
    result={({ secret }): ReactNode =>
      secret === undefined ? (
        <Text size="sm">{t('the_scheduled_export_is_saved')}</Text>
      ) : (
        <SecretOnce name={t('signing_key')} value={secret} note={t('verify_each_post_with_it_as')} />
      )
    }
  />
);
