import { describe, expect, test } from 'vitest';
import { localeTags } from '../../model/locale.ts';
import { noticeMail, type NoticeMailKind } from './notice-mail.ts';

const detail = {
  ...{
    device: 'Firefox, Linux',
    factor: 'passkey',
    role: 'finance',
    secret: 'client_secret',
    client_id: 'c_1',
  },
  ...{ merchant: 'Shop', merchant_no: 'mr_1', name: 'Ann', email: 'ann@shop.test', address: '192.0.2.7' },
  ...{ receiver: 'shop.test', failures: '2', answer: 'HTTP 503', period: '2026-10-19' },
  ...{ since: '2026-10-20T08:09:10.000Z', at: '2026-10-20T11:12:13.000Z' },
};
/** What each kind of mail names. */
const named: Readonly<Record<NoticeMailKind, string[]>> = {
  new_device: ['Firefox, Linux', '192.0.2.7', '/account'],
  factor_added: ['192.0.2.7', '/account'],
  factor_removed: ['192.0.2.7', '/account'],
  role_given: ['Ann (ann@shop.test)', 'Shop', '/account'],
  owner_added: ['Ann (ann@shop.test)', 'Shop', '/account'],
  secret_changed: ['c_1', 'Shop', '/account'],
  receiver_failing: ['shop.test', '2', 'HTTP 503', 'Shop', '/mr_1/notification-settings'],
  receiver_recovered: ['shop.test', 'Shop', '/mr_1/notification-settings'],
  export_failing: ['2026-10-19', 'shop.test', 'HTTP 503', 'Shop', '/mr_1/exports'],
  export_recovered: ['Shop', '/mr_1/exports'],
};
const kinds = Object.keys(named) as NoticeMailKind[];

describe.each(kinds)('D-390 the mail of %s', (kind) => {
  test.each(localeTags)('says in %s what has happened and what to do', (tag) => {
    const { subject, text } = noticeMail(tag, { kind, detail }, 'https://pay.test');
    for (const name of named[kind]) expect(text).toContain(name);
    // No placeholder and no machine's time is left.
    expect(`${subject}${text}`).not.toMatch(/[{}]|T11:12|T08:09/);
    if (tag === 'en') return;
    const english = noticeMail('en', { kind, detail }, 'https://pay.test');
    expect(subject).not.toBe(english.subject);
    expect(text.split('\n')[0]).not.toBe(english.text.split('\n')[0]);
  });
});

test.each([
  ['de', 'role_given', { role: 'read-only' }, '„Nur Lesen“', 'read-only'],
  ['fr', 'role_given', { role: 'developer' }, 'Développeur', 'developer'],
  ['en', 'receiver_failing', { answer: 'dns_failed' }, 'Server name not found', 'dns_failed'],
  [
    'en',
    'secret_changed',
    { secret: 'export_secret' },
    'of Shop now go to another address, shop.test',
    'export_secret',
  ],
  ['en', 'secret_changed', { secret: 'client_keys' }, 'c_1 of Shop has other public keys', 'client_keys'],
  ['ja', 'export_failing', { answer: 'not_a_member' }, 'チームを離れました', 'not_a_member'],
  ['en', 'export_failing', { answer: 'nobody_left' }, 'so the export is paused', 'nobody_left'],
  ['en', 'export_failing', { answer: 'a_newer_code' }, 'a_newer_code', '}'],
] as const)('D-405 in %s the mail of %s has words for the code in %j', (locale, kind, codes, said, code) => {
  const { text } = noticeMail(locale, { kind, detail: { ...detail, ...codes } }, 'https://pay.test');
  expect(text).toContain(said);
  expect(text).not.toContain(code);
});

test('D-390 a language that is not known is English, and a name adds no lines', () => {
  const mail = noticeMail(
    'xx',
    { kind: 'owner_added', detail: { ...detail, name: 'Ann\r\nhttps://evil.test' } },
    'https://pay.test',
  );
  expect(mail.subject).toBe('An owner was added');
  expect(mail.text.split('\n')[0]).toBe('Ann https://evil.test (ann@shop.test) is now an owner of Shop.');
});
