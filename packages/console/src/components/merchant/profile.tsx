/** A merchant's profile: its facts, the fields to edit it, and the entered values. */
import type { ReactNode } from 'react';
import { type Field, isOn, textOf, type Values } from '../dialog/fields.ts';

const textNames = [
  'name',
  'short_description',
  'description',
  'business_scope',
  'website_url',
  'contact',
  'logo_url',
] as const;

/** What a merchant shows of itself, and whether guests may buy. */
export type Profile = Readonly<Record<(typeof textNames)[number], string>> & {
  readonly guest_purchase_allowed: boolean;
};

/** A merchant's profile as facts, without its name. `logo` replaces the logo's address. */
export function profileFacts(profile: Profile, logo?: ReactNode): [string, ReactNode][] {
  const text = (value: string) => (value === '' ? '–' : <span className="wrap">{value}</span>);
  return [
    ['Guests may buy', profile.guest_purchase_allowed ? 'Yes, without signing in' : 'No, buyers sign in'],
    ['Short description', text(profile.short_description)],
    ['Description', text(profile.description)],
    ['Business', text(profile.business_scope)],
    ['Website', text(profile.website_url)],
    ['Contact', text(profile.contact)],
    ['Logo', logo ?? text(profile.logo_url)],
  ];
}

/** The fields that edit a profile. */
export const profileFields = (profile: Profile): Field[] => [
  {
    name: 'name',
    label: 'Name',
    about: 'Buyers see it at checkout.',
    required: true,
    initial: profile.name,
  },
  {
    name: 'guest_purchase_allowed',
    label: 'Guests may buy without signing in',
    kind: 'switch',
    initial: profile.guest_purchase_allowed,
  },
  { name: 'short_description', label: 'Short description', initial: profile.short_description },
  { name: 'description', label: 'Description', kind: 'lines', initial: profile.description },
  { name: 'business_scope', label: 'Business', initial: profile.business_scope },
  { name: 'website_url', label: 'Website', initial: profile.website_url },
  { name: 'contact', label: 'Contact', initial: profile.contact },
  {
    name: 'logo_url',
    label: 'Logo',
    about: 'The HTTPS address of a picture.',
    initial: profile.logo_url,
  },
];

/** The profile that was entered in these fields. */
export const enteredProfile = (values: Values): Profile => ({
  ...(Object.fromEntries(textNames.map((name) => [name, textOf(values, name)])) as Record<
    (typeof textNames)[number],
    string
  >),
  guest_purchase_allowed: isOn(values, 'guest_purchase_allowed'),
});
