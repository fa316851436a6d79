import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CheckoutDesk, openCheckoutDesk } from '../support/desks/checkout-desk.ts';
import { checkoutCases } from '../support/browser/checkout-states.ts';
import { visit, type VisitOptions } from '../support/browser/checkout-visit.ts';

/** Where the pictures go; set by `npm run pictures`. */
const directory = process.env.PAYDESK_PICTURES ?? '';

const phone: VisitOptions = { width: 390 };
const desk: VisitOptions = { width: 1_180 };
const dark: VisitOptions = { scheme: 'dark' };

/** The variants in which the sheet shows a state. They name the picture's file. */
type Shot = [file: string, options: VisitOptions];

const captions: Readonly<Record<string, string>> = {
  choose: 'Choosing a method',
  preview: 'What it costs',
  'preview-ptk': 'From the balance, signed in',
  'three-decimals': 'Three decimals',
  'no-decimals': 'No decimals',
  'sign-in-required': 'Sign-in required',
  'sign-in': 'Signing in',
  'self-payment': 'The merchant’s own order',
  'balance-too-low': 'The balance is too low',
  'no-method': 'No method available',
  'test-mode': 'Test mode',
  confirming: 'Confirming',
  'going-to-the-provider': 'Going to the provider',
  'back-from-the-provider': 'Back from the provider',
  'canceled-at-the-provider': 'Cancelled at the provider',
  'started-before': 'Started before',
  unresolved: 'The provider has not answered',
  processing: 'The provider is working on it',
  'not-completed': 'The provider confirms: not paid',
  mismatch: 'The provider disagrees',
  rejected: 'The provider declined to begin',
  conflict: 'Started in another tab',
  'paid-in-another-tab': 'Paid in another tab',
  review: 'Under review after the deadline',
  paid: 'Paid',
  'paid-and-back-to-the-shop': 'Paid, and back to the shop',
  receipt: 'The receipt',
  expired: 'Expired',
  'expired-while-paying': 'Expired while paying',
  'expired-then-paid': 'Paid after the deadline',
  refunded: 'Refunded',
  'charged-back': 'Charged back',
  offline: 'Offline',
  'not-found': 'A link that is cut short',
  limited: 'Too many requests',
  unavailable: 'The service is away',
};

/** Where the elbows of the design show: dark, right to left, long words, other scripts. */
const more: Readonly<Record<string, readonly Shot[]>> = {
  preview: [
    ['dark', { ...phone, ...dark }],
    ['de', { ...phone, locale: 'de' }],
    ['ar', { ...phone, locale: 'ar' }],
    ['ja', { ...phone, locale: 'ja' }],
    ['zh', { ...phone, locale: 'zh-CN' }],
    ['320', { width: 320, locale: 'fr' }],
    ['desk-dark', { ...desk, ...dark }],
    ['desk-ar', { ...desk, locale: 'ar' }],
  ],
  unresolved: [['dark', { ...phone, ...dark, locale: 'es' }]],
  paid: [
    ['dark', { ...phone, ...dark }],
    ['ar-dark', { ...phone, ...dark, locale: 'ar' }],
  ],
  rejected: [['dark', { ...phone, ...dark }]],
};

let open: CheckoutDesk;
const taken: string[] = [];

beforeAll(async () => {
  open = await openCheckoutDesk();
});
afterAll(async () => {
  await open.stop();
  await writeFile(join(directory, 'sheet.md'), sheet());
});

const shots = checkoutCases.flatMap((one) =>
  ([['phone', phone], ['desk', desk], ...(more[one.name] ?? [])] satisfies Shot[]).map(([file, options]) => ({
    one,
    file,
    options,
  })),
);

test.each(shots)('$one.name, $file', async ({ one, file, options }) => {
  const buyer = await visit(open, {
    ...options,
    ...(one.person === undefined ? {} : { person: one.person(open) }),
  });
  await one.arrive(open, buyer);
  if (one.screen !== null) await buyer.screen(one.screen);
  await buyer.page.locator('.spinner').evaluateAll((spinners) => {
    for (const spinner of spinners) for (const turning of spinner.getAnimations()) turning.pause();
  });
  const name = `${one.name}-${file}.png`;
  await buyer.page.screenshot({
    path: join(directory, name),
    fullPage: file !== 'desk',
    animations: 'disabled',
  });
  taken.push(name);
  await buyer.close();
  await open.sim('DELETE', '/faults');
  expect(captions[one.name]).toBeDefined();
});

const image = (name: string, width: number, alt: string): string =>
  `<img src="images/checkout/${name}" width="${width}" alt="${alt}">`;

/** The sheet: every state on a phone and on a desk, then the samples. */
function sheet(): string {
  const states = checkoutCases
    .filter(({ name }) => taken.includes(`${name}-desk.png`))
    .map(({ name }) => {
      const caption = captions[name] ?? name;
      const pair = `${image(`${name}-phone.png`, 220, `${caption}, on a phone`)} ${image(`${name}-desk.png`, 560, `${caption}, on a desk`)}`;
      return `### ${caption}\n\n${pair}\n`;
    });
  const samples = Object.entries(more).flatMap(([name, extra]) =>
    extra.map(([file, { width = 0 }]) =>
      image(`${name}-${file}.png`, width > 600 ? 560 : 220, `${captions[name] ?? name}: ${file}`),
    ),
  );
  return [
    '## Every state',
    '',
    ...states,
    '## Dark, right to left, and in other scripts',
    '',
    samples.join('\n'),
    '',
  ].join('\n');
}
