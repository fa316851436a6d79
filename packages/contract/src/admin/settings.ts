/** Settings of the whole platform, which administrators read and change. */
import Type, { type Static } from 'typebox';
import { orNull } from '../scalars.ts';
import { Digits, PtkLimit } from './scalars.ts';

/**
 * How the platform looks in checkout, mails and consoles. A member that is not sent stays as it is; null puts
 * back the default.
 */
export const BrandingChange = Type.Object(
  {
    name: Type.Optional(
      orNull(Type.String({ minLength: 1, maxLength: 60, description: 'One line. Null: Paydesk.' })),
    ),
    logo: Type.Optional(
      orNull(
        Type.String({
          maxLength: 180_000,
          description:
            'A still PNG, JPEG or WebP in base64: at most 128 KB and 2048 pixels a side. Null: the sign of Paydesk.',
        }),
      ),
    ),
    accent_colour: Type.Optional(
      orNull(
        Type.String({
          pattern: '^#[0-9A-Fa-f]{6}$',
          description:
            'As `#1f47c4`. White text on it, and text in it on a light page, must be readable (4.5 : 1).',
        }),
      ),
    ),
    support_address: Type.Optional(
      orNull(Type.String({ maxLength: 2_048, description: 'An email address or an HTTPS address.' })),
    ),
  },
  { additionalProperties: false },
);
export type BrandingChange = Static<typeof BrandingChange>;

/** Top-ups by card. A member that is not sent stays as it is. */
export const TopUpChange = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    merchant_no: Type.Optional(
      orNull(
        Type.String({
          maxLength: 64,
          description: 'An active merchant without hold days whose owner has a role on the platform.',
        }),
      ),
    ),
    max_per_payment: Type.Optional(orNull(PtkLimit)),
    max_per_day: Type.Optional(orNull(PtkLimit)),
  },
  { additionalProperties: false },
);
export type TopUpChange = Static<typeof TopUpChange>;

/** The members that change. An unknown member is refused, so that a misspelt setting is not taken for a changed one. */
export const SettingsChange = Type.Object(
  {
    four_eyes_ptk: Type.Optional(PtkLimit),
    branding: Type.Optional(BrandingChange),
    sign_up: Type.Optional(Type.Boolean()),
    terms_url: Type.Optional(orNull(Type.String({ maxLength: 2_048, description: 'An HTTPS address.' }))),
    top_up: Type.Optional(TopUpChange),
  },
  { additionalProperties: false },
);
export type SettingsChange = Static<typeof SettingsChange>;

export const BrandingAnswer = Type.Object({
  name: Type.String(),
  /** The full address of the logo; null where there is none. */
  logo_url: orNull(Type.String()),
  accent_colour: Type.String(),
  support_address: orNull(Type.String()),
});
export type BrandingAnswer = Static<typeof BrandingAnswer>;

export const SettingsAnswer = Type.Object({
  /** The gross PTK from which a write of money waits for another person; `"0"` switches this off. */
  four_eyes_ptk: Digits,
  branding: BrandingAnswer,
  /** Whether people can open accounts themselves. Without a mail server they cannot. */
  sign_up: Type.Boolean(),
  /** The address of the platform's terms, which the pages of buyers name. */
  terms_url: orNull(Type.String()),
  /** Whether people fill their wallets by card, and how much. */
  top_up: Type.Object({
    enabled: Type.Boolean(),
    merchant_no: orNull(Type.String()),
    max_per_payment: orNull(Digits),
    max_per_day: orNull(Digits),
  }),
});
export type SettingsAnswer = Static<typeof SettingsAnswer>;
