import { describe, expect, test } from 'vitest';
import { type Entry, noticesOf } from './notices-of.ts';

const [ann, bo] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
const entry = (action: string, rest: Partial<Entry>): Entry => ({
  ...{ audit_id: 'al_1', at: '2026-01-02T03:04:05.000Z', actor: `user:${ann}`, action, target: `user:${bo}` },
  ...{ before: null, after: null, address: '192.0.2.1', ...rest },
});

describe('who is told of an act', () => {
  test.each<[string, Entry, object[]]>([
    [
      'a sign-in from a new device: the person',
      entry('session.sign-in', { after: { new_device: true, device: 'Firefox on Linux' } }),
      [{ kind: 'new_device', person: bo, detail: { device: 'Firefox on Linux' } }],
    ],
    ['a sign-in from a known device: no one', entry('session.sign-in', { after: { new_device: false } }), []],
    [
      'a factor added: the person',
      entry('factor.add', { after: { factor: 'totp' } }),
      [{ kind: 'factor_added', person: bo, detail: { factor: 'totp' } }],
    ],
    [
      'a factor removed: the person',
      entry('factor.remove', { after: { factor: 'passkey' } }),
      [{ kind: 'factor_removed', person: bo, detail: { factor: 'passkey' } }],
    ],
    [
      'all factors removed by an administrator: the person',
      entry('user.remove-factors', { after: { removed: 2 } }),
      [{ kind: 'factor_removed', person: bo, detail: { factor: 'all' } }],
    ],
    [
      'a role on the platform: the person',
      entry('user.change', { before: { role: 'user' }, after: { role: 'admin' } }),
      [{ kind: 'role_given', person: bo, about: bo, detail: { role: 'admin' } }],
    ],
    ['another name: no one', entry('user.change', { before: { role: 'user' }, after: { role: 'user' } }), []],
    [
      'a role at a merchant: the person and its owners',
      entry('member.change', {
        target: 'merchant:mr_1',
        before: { role: 'read-only' },
        after: { user_id: bo, role: 'finance' },
      }),
      [{ kind: 'role_given', person: bo, merchant_no: 'mr_1', about: bo, detail: { role: 'finance' } }],
    ],
    [
      'a person who is added at once, because there is no mail: the person and the owners',
      entry('member.add', { target: 'merchant:mr_1', after: { user_id: bo, role: 'developer' } }),
      [{ kind: 'role_given', person: bo, merchant_no: 'mr_1', about: bo, detail: { role: 'developer' } }],
    ],
    [
      'a new owner: the person and the owners',
      entry('member.accept', { target: 'merchant:mr_1', after: { user_id: bo, role: 'owner' } }),
      [{ kind: 'owner_added', person: bo, merchant_no: 'mr_1', about: bo, detail: { role: 'owner' } }],
    ],
    [
      'a client secret: the owners and who was shown it',
      entry('secret.show', { target: 'client:c_1', after: { secret: 'client_secret' } }),
      [
        {
          kind: 'secret_changed',
          client_id: 'c_1',
          person: ann,
          detail: { secret: 'client_secret', client_id: 'c_1' },
        },
      ],
    ],
    [
      'a notification key: the owners and who was shown it',
      entry('secret.show', { target: 'merchant:mr_1', after: { secret: 'notification_secret' } }),
      [
        {
          kind: 'secret_changed',
          merchant_no: 'mr_1',
          person: ann,
          detail: { secret: 'notification_secret' },
        },
      ],
    ],
    ['recovery codes: no one', entry('secret.show', { after: { secret: 'recovery_codes' } }), []],
  ])('%s', (_, of, told) => {
    expect(noticesOf(of)).toEqual(told);
  });
});

describe('D-1340 of other public keys of a client', () => {
  const set = (jwks: object | null): object[] =>
    noticesOf(entry('client.set-keys', { target: 'client:c_1', after: { jwks } }));

  test('the owners and who has set them are told', () => {
    const detail = { secret: 'client_keys', client_id: 'c_1' };
    expect(set({ keys: [] })).toEqual([{ kind: 'secret_changed', client_id: 'c_1', person: ann, detail }]);
  });

  test('no one is told of a secret in their place: the secret that is shown is told', () => {
    expect(set(null)).toEqual([]);
  });

  test('D-1383 no one is told of the same keys, which a program may send again', () => {
    const key = { kty: 'OKP', crv: 'Ed25519', x: 'aa' };
    const again = { x: 'aa', crv: 'Ed25519', kty: 'OKP' };
    const members = { before: { jwks: { keys: [key] } }, after: { jwks: { keys: [again] } } };
    expect(noticesOf(entry('client.set-keys', { target: 'client:c_1', ...members }))).toEqual([]);
  });
});

describe('D-1342 of statements that go to another address', () => {
  const change = (before: string | null, url: string | null): object[] =>
    noticesOf(
      entry('statement_export.change', {
        ...{ target: 'statement_export:se_1', before: { url: before }, after: { url, merchant_no: 'mr_1' } },
      }),
    );

  test('the owners and who has set it are told, of the host alone', () => {
    const detail = { secret: 'export_secret', receiver: 'books.example' };
    expect(change(null, 'https://books.example/in?key=1')).toEqual([
      { kind: 'secret_changed', merchant_no: 'mr_1', person: ann, detail },
    ]);
  });

  test('no one is told of the same address, and of none', () => {
    const url = 'https://books.example/in';
    expect([change(url, url), change(url, null)]).toEqual([[], []]);
  });
});
