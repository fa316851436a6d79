/** The roles of people on the platform: their words and the field that chooses one. */
import type { Person } from '../../api/admin.ts';
import { type Field, textOf, type Values } from '../../components/dialog/fields.ts';

type Role = Person['role'];

export const roleWords: Readonly<Record<Role, string>> = {
  user: 'Person',
  admin: 'Administrator',
  finance: 'Finance',
  support: 'Support',
  auditor: 'Auditor',
};

const choices: readonly (readonly [Role, string])[] = [
  ['user', 'Person: buys and sells, no administration'],
  ['admin', 'Administrator: everything'],
  ['finance', 'Finance: sees everything, moves and decides about money'],
  ['support', 'Support: sees everything, decides cases, sends again'],
  ['auditor', 'Auditor: sees and exports everything'],
];

export const roleField = (initial: Role): Field => ({
  name: 'role',
  label: 'Role on the platform',
  kind: 'choice',
  required: true,
  initial,
  choices: choices.map(([value, label]) => ({ value, label })),
});

export function roleIn(values: Values): Role {
  const text = textOf(values, 'role');
  return choices.find(([role]) => role === text)?.[0] ?? 'user';
}
