/** How the platform presents itself to people: its name, logo, accent colour, and where they find help (D-216). */
import type { BrandingAnswer } from '@paydesk/contract';
import { type AccentScheme, accentSchemes, accentShades } from './colour.ts';

/** As it is stored. The logo's bytes are stored beside it, under its hash. */
export interface StoredBranding {
  name: string;
  logo: { content_type: string; content_hash: string } | null;
  /** `#rrggbb`, in lower case. */
  accent_colour: string;
  /** An email address, or an address with HTTPS. */
  support_address: string | null;
}

export const defaultBranding: StoredBranding = {
  name: 'Paydesk',
  logo: null,
  accent_colour: '#1f47c4',
  support_address: null,
};

/** The branding as pages and mails use it. */
export interface Branding {
  name: string;
  /** Below the public address, such as `/branding/logo/…`; null where there is none. */
  logo_path: string | null;
  accent_colour: string;
  /** The shades for buyers' pages; null where the accent is the default, which the style sheet has. */
  schemes: { light: AccentScheme; dark: AccentScheme } | null;
  /** The shades for the consoles; null as above. */
  shades: readonly string[] | null;
  support_address: string | null;
  /** The address that a link to support leads to: `mailto:…` or `https:…`. */
  support_url: string | null;
  /** The platform's terms, with HTTPS. */
  terms_url: string | null;
}

const logoPath = (logo: StoredBranding['logo']): string | null =>
  logo === null ? null : `/branding/logo/${logo.content_hash}`;

/** @param terms_url a separate setting */
export function brandingOf(
  { name, logo, accent_colour, support_address }: StoredBranding,
  terms_url: string | null = null,
): Branding {
  const isDefault = accent_colour === defaultBranding.accent_colour;
  return {
    name,
    logo_path: logoPath(logo),
    accent_colour,
    schemes: isDefault ? null : accentSchemes(accent_colour),
    shades: isDefault ? null : accentShades(accent_colour),
    support_address,
    terms_url,
    support_url: support_address === null ? null : supportUrl(support_address),
  };
}

const supportUrl = (address: string): string =>
  address.startsWith('https://') ? address : `mailto:${encodeURIComponent(address).replace('%40', '@')}`;

/** The branding in the answers of the administration. */
export const brandingJson = (
  { name, logo, accent_colour, support_address }: StoredBranding,
  public_url: string,
): BrandingAnswer => {
  const path = logoPath(logo);
  return { name, logo_url: path === null ? null : public_url + path, accent_colour, support_address };
};
