/** A merchant's profile: its facts, the fields to edit it, and the entered values. */
import type { ReactNode } from 'react';
import { type Field, isOn, listOf, textOf, type Values } from '../dialog/fields.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('business');

const textNames = [
  'name',
  'short_description',
  'description',
  'business_scope',
  'website_url',
  'contact',
  'logo_url',
] as const;

/** What a merchant shows of itself, whether guests may buy, and who may embed the checkout (R-335, R-376, D-265). */
export type Profile = Readonly<Record<(typeof textNames)[number], string>> & {
  readonly guest_purchase_allowed: boolean;
  readonly embed_origins: string[];
};

/** A merchant's profile as facts, without its name. `logo` replaces the logo's address. */
export function profileFacts(profile: Profile, logo?: ReactNode): [string, ReactNode][] {
  const text = (value: string) => (value === '' ? '–' : <span className="wrap">{value}</span>);
  return [
    [
      t('guest_checkout'),
      profile.guest_purchase_allowed ? t('yes_buyers_need_no_account') : t('no_buyers_sign_in'),
    ],
    [t('short_description'), text(profile.short_description)],
    [t('description'), text(profile.description)],
    [t('business'), text(profile.business_scope)],
    [t('website'), text(profile.website_url)],
    [t('contact'), text(profile.contact)],
    [t('logo'), logo ?? text(profile.logo_url)],
    [t('checkout_in_a_frame'), text(profile.embed_origins.join(', '))],
  ];
}

/** The fields that edit a profile. */
export const profileFields = (profile: Profile): Field[] => [
  {
    name: 'name',
    label: t('name'),
    about: t('shown_to_buyers_at_checkout'),
    required: true,
    initial: profile.name,
  },
  {
    name: 'guest_purchase_allowed',
    label: t('guest_checkout_buyers_need_no_account'),
    kind: 'switch',
    initial: profile.guest_purchase_allowed,
  },
  { name: 'short_description', label: t('short_description'), initial: profile.short_description },
  { name: 'description', label: t('description'), kind: 'lines', initial: profile.description },
  { name: 'business_scope', label: t('business'), initial: profile.business_scope },
  { name: 'website_url', label: t('website'), kind: 'url', initial: profile.website_url },
  { name: 'contact', label: t('contact'), initial: profile.contact },
  {
    name: 'logo_url',
    label: t('logo'),
    kind: 'url',
    about: t('the_https_address_of_an_image'),
    initial: profile.logo_url,
  },
  {
    name: 'embed_origins',
    label: t('pages_that_may_show_the_checkout'),
    kind: 'tags',
    about: t('the_origins_of_the_shop'),
    initial: profile.embed_origins,
  },
];

/** The profile that was entered in these fields. */
export const enteredProfile = (values: Values): Profile => ({
  ...(Object.fromEntries(textNames.map((name) => [name, textOf(values, name)])) as Record<
    (typeof textNames)[number],
    string
  >),
  guest_purchase_allowed: isOn(values, 'guest_purchase_allowed'),
  embed_origins: listOf(values, 'embed_origins'),
});
