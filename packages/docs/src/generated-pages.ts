/** The pages that are generated: errors by code from the contract, test cards from the card simulator (D-290). */
import { formatCardNumber, type TestCard, test_cards } from '@paydesk/cardsim';
import {
  adminOperations,
  describe,
  type ErrorCode,
  type Operation,
  operations,
  statusOf,
} from '@paydesk/contract';
import { errorGroups, errorHelp } from './error-help.ts';

/** The Markdown of each generated page, by its path. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  errors: errorsPage,
  'test-cards': testCardsPage,
};

const blocks = (...parts: readonly string[]): string => `${parts.join('\n\n')}\n`;

function errorsPage(): string {
  return blocks(
    '# Errors by code',
    'Every error answer is JSON with the members `error` and `error_description`, and often `field`. Branch on the HTTP ' +
      'status and on `error`. The description is for people and may change.',
    '```json\n{ "error": "invalid_amount", "error_description": "The amount must be a positive decimal string within the allowed range.", "field": "amount" }\n```',
    'Two answers are neither success nor failure. HTTP 202 with `provider_result_pending` means that the provider has not ' +
      'confirmed the payment yet: keep the order and do not collect again. A connection that broke leaves the outcome ' +
      'unknown: repeat the request with the same `idempotency_key`, and nothing happens twice.',
    ...errorGroups.flatMap(({ title, codes }) => [
      `## ${title}`,
      ...(Object.keys(codes) as ErrorCode[]).map(errorSection),
    ]),
  );
}

function errorSection(code: ErrorCode): string {
  const { cause, action } = errorHelp[code];
  return [
    `### \`${code}\``,
    `**HTTP ${statusOf(code)}.** ${describe(code)}`,
    `- **Cause:** ${cause}`,
    `- **What to do:** ${action}`,
    ...givenBy(code),
  ]
    .join('\n\n')
    .replaceAll('\n\n- ', '\n- ')
    .replace('\n- **Cause', '\n\n- **Cause');
}

/** Codes that most calls can give name no calls. */
const fewCalls = 12;

function givenBy(code: ErrorCode): string[] {
  const linked = (page: string, all: readonly Operation[]): string[] =>
    all
      .filter(({ errors }) => errors.includes(code))
      .map(({ id, summary }) => `[${summary}](/docs/${page}#${id})`);
  const calls = [...linked('api', operations), ...linked('admin-api', adminOperations)];
  return calls.length === 0 || calls.length > fewCalls ? [] : [`- **Calls:** ${calls.join(', ')}`];
}

const results: Readonly<Record<TestCard['effect']['result'], string>> = {
  success: 'the order becomes `paid`',
  challenge: 'asks for 3-D Secure: complete it to pay, or fail it to be declined',
  decline: 'is declined; the buyer can try another card',
};

function testCardsPage(): string {
  const rows = test_cards.map(({ number, brand, label, effect }) => {
    const said = effect.result === 'decline' ? ` “${effect.message}”` : '';
    return `| \`${formatCardNumber(number)}\` | ${brand} | ${label} | ${results[effect.result]}.${said} |`;
  });
  return blocks(
    '# Test cards',
    'Where card payments go through the simulator, as on the platform of `npm start`, no card is charged. These numbers lead ' +
      'to each outcome. They are those of Stripe’s test mode, so they also work where Paydesk uses Stripe with a test key.',
    ['| card number | brand | what it shows | what happens |', '|---|---|---|---|', ...rows].join('\n'),
    'Any expiry in the future, any security code of 3 or 4 digits and any email address will do. A number that is not in ' +
      'the list is declined.',
    '## Bank debits',
    'The simulator’s page also pays by bank debit, which is confirmed later: one that succeeds and one that fails, each after ' +
      'three seconds, and one that waits for [the control API](/docs/cardsim). Until then the order stays open.',
    '## Other outcomes',
    'From the command line, without opening a page: `npx paydesk trigger paid`, `expired`, `refunded` or `chargeback` makes ' +
      'an order and brings it there. [The simulator](/docs/cardsim) also pays late, twice, with another amount, or without a ' +
      'webhook, and answers slowly or not at all.',
    '## PTK',
    'The demo buyer has a PTK balance. Choose *PTK wallet* at the checkout, and sign in with the address and the password ' +
      'that `npm start` prints.',
  );
}
