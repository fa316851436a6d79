import { expect, test } from 'vitest';
import { nearestName } from './nearest.ts';

const names = ['serve', 'start', 'verify-ledger', 'verify-audit', 'keys', 'PAYDESK_SMTP_URL', 'DATABASE_URL'];

test.each([
  ['serv', 'serve'],
  ['verify-legder', 'verify-ledger'],
  ['key', 'keys'],
  ['PAYDESK_SMTP', 'PAYDESK_SMTP_URL'],
  ['PAYDESK_DATABASE_URL', 'DATABASE_URL'],
  ['paydesk_smtp_url', 'PAYDESK_SMTP_URL'],
  ['ls', null],
  ['anything', null],
])('"%s" means %s', (misspelt, meant) => {
  expect(nearestName(misspelt, names)).toBe(meant);
});
