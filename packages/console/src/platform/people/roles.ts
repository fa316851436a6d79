/** The roles of people on the platform: their words and the field that chooses one. */
import type { Person } from '../../api/admin.ts';
import { type Field, textOf, type Values } from '../../components/dialog/fields.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-merchants');

type Role = Person['role'];

export const roleWords: Readonly<Record<Role, string>> = {
  user: t('person'),
  admin: t('administrator'),
  finance: t('finance'),
  support: t('support'),
  auditor: t('auditor'),
};

const choices: readonly (readonly [Role, string])[] = [
  ['user', t('user_buys_and_sells_no_administration')],
  ['admin', t('administrator_everything')],
  ['finance', t('finance_views_everything_moves_money_and')],
  ['support', t('support_views_everything_decides_cases_resen')],
  ['auditor', t('auditor_views_and_exports_everything')],
];

export const roleField = (initial: Role): Field => ({
  name: 'role',
  label: t('platform_role'),
  kind: 'choice',
  required: true,
  initial,
  choices: choices.map(([value, label]) => ({ value, label })),
});

export function roleIn(values: Values): Role {
  const text = textOf(values, 'role');
  return choices.find(([role]) => role === text)?.[0] ?? 'user';
}
