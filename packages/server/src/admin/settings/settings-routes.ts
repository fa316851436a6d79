import { type BrandingChange, SettingsChange, type TopUpChange } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { invalid } from '../../base/errors.ts';
import { reader } from '../../base/input/decode.ts';
import { parseHttpsUrl } from '../../base/input/https-url.ts';
import {
  brandingJson,
  type BrandLogo,
  changeSettings,
  defaultBranding,
  isReadableAccent,
  leastContrast,
  logoOf,
  readSettings,
  type Settings,
  type SettingsWrite,
  type StoredBranding,
  type TopUpSettings,
} from '../../base/settings/index.ts';
import type { Tx } from '../../base/pg/index.ts';
import { selectTopUpMerchant } from '../../collection/top-ups/index.ts';
import { changeAsAdministrator } from '../keys/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf } from '../request/request.ts';

const readChange = reader(SettingsChange);

/** A logo of 128 KB in base64, and the other members. */
const mostBytes = 256 * 1024;

/** `GET` and `PUT /settings`: the settings of the whole platform. A member that is not sent stays as it is. */
export function settingsRoutes(
  app: FastifyInstance,
  deps: Pick<AdminDeps, 'db' | 'clock' | 'ids' | 'cache' | 'config'>,
): void {
  const json = ({ branding, ...others }: Settings) => ({
    ...others,
    branding: brandingJson(branding, deps.config.public_url),
  });

  app.get('/settings', async () => json(await readSettings(deps.db)));

  app.put('/settings', { config: { max_body_bytes: mostBytes } }, async (request) => {
    const { four_eyes_ptk, branding, sign_up, terms_url, top_up } = readChange(request.body);
    const branded = branding === undefined ? null : brandingOf(branding);
    // Every setting, so that the compiler misses one that is not written here. The values are in the one spelling in
    // which they are stored.
    const members: { [Name in keyof Settings]: SettingsWrite[Name] | undefined } = {
      four_eyes_ptk: four_eyes_ptk === undefined ? undefined : BigInt(four_eyes_ptk).toString(),
      sign_up,
      terms_url: terms_url === undefined || terms_url === null ? terms_url : termsOf(terms_url),
      branding: branded?.members,
      top_up: top_up === undefined ? undefined : limitsOf(top_up),
    };
    const sent = Object.entries(members).filter(([, value]) => value !== undefined);
    const change: SettingsWrite = Object.fromEntries(sent);
    if (Object.keys(change).length === 0) return json(await readSettings(deps.db));
    const act = { actor: actorOf(request), action: 'platform-settings.change' };
    const { settings } = await changeAsAdministrator(deps, act, async (tx) => {
      const { before, after } = await changeSettings(tx, change, branded?.logo);
      if (top_up !== undefined && after.top_up.enabled)
        await demandTopUpMerchant(tx, after.top_up.merchant_no);
      return { target: 'platform-settings', before: json(before), after: json(after), settings: after };
    });
    return json(settings);
  });
}

/** The limits in the one spelling in which they are stored. */
function limitsOf({ max_per_payment, max_per_day, ...others }: TopUpChange): Partial<TopUpSettings> {
  const digits = (limit: string | null): string | null => (limit === null ? null : BigInt(limit).toString());
  return {
    ...others,
    ...(max_per_payment === undefined ? {} : { max_per_payment: digits(max_per_payment) }),
    ...(max_per_day === undefined ? {} : { max_per_day: digits(max_per_day) }),
  };
}

/** Top-ups are paid out to wallets at once, so their merchant has no hold, and the platform pays their losses. */
async function demandTopUpMerchant(tx: Tx, merchant_no: string | null): Promise<void> {
  if ((await selectTopUpMerchant(tx, merchant_no)) !== null) return;
  throw invalid(
    'top_up.merchant_no',
    'The number of an active merchant without hold days whose owner has a role on the platform.',
  );
}

/** The members that are set, and the bytes of a new logo. */
function brandingOf({ name, logo, accent_colour, support_address }: BrandingChange): {
  members: Partial<StoredBranding>;
  logo: BrandLogo | null;
} {
  const picture = logo === undefined || logo === null ? null : pictureOf(logo);
  return {
    members: {
      ...(name === undefined ? {} : { name: name === null ? defaultBranding.name : nameOf(name) }),
      ...(logo === undefined ? {} : { logo: picture === null ? null : reference(picture) }),
      ...(accent_colour === undefined ? {} : { accent_colour: accentOf(accent_colour) }),
      ...(support_address === undefined
        ? {}
        : { support_address: support_address === null ? null : supportOf(support_address) }),
    },
    logo: picture,
  };
}

const reference = ({ content_type, content_hash }: BrandLogo) => ({ content_type, content_hash });

function nameOf(text: string): string {
  const name = text.trim();
  // It is part of mail subjects and titles: no line breaks, and nothing that changes the order of the text around it.
  if (name === '' || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) {
    throw invalid('branding.name', 'One line of visible text.');
  }
  return name;
}

const problems = {
  not_a_picture: 'A PNG, JPEG or WebP picture.',
  animated: 'A still picture, not an animation.',
  too_large: 'A picture of at most 128 KB and 2048 pixels a side.',
} as const;

function pictureOf(base64: string): BrandLogo {
  const text = base64.replace(/^data:image\/[a-z]+;base64,/, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw invalid('branding.logo', problems.not_a_picture);
  const checked = logoOf(Buffer.from(text, 'base64'));
  if (checked.kind === 'refused') throw invalid('branding.logo', problems[checked.problem]);
  return checked.logo;
}

function accentOf(text: string | null): string {
  const colour = text?.toLowerCase() ?? defaultBranding.accent_colour;
  if (!isReadableAccent(colour)) {
    throw invalid(
      'branding.accent_colour',
      `A darker colour: text needs a contrast of ${leastContrast} : 1 with it.`,
    );
  }
  return colour;
}

function termsOf(text: string): string {
  const address = text.trim();
  if (parseHttpsUrl(address) === null) throw invalid('terms_url', 'An address with HTTPS.');
  return address;
}

function supportOf(text: string): string {
  const address = text.trim();
  const isMail =
    Buffer.byteLength(address) <= 254 && /^[^\s@<>"'(),:;\\[\]]+@[^\s@<>"'(),:;\\[\]]+$/u.test(address);
  if (!isMail && parseHttpsUrl(address) === null) {
    throw invalid('branding.support_address', 'An email address, or an address with HTTPS.');
  }
  return address;
}
