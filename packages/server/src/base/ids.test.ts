import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  base32ToUuid,
  merchantIdOf,
  merchantNo,
  platformBook,
  systemIds,
  timeOfUlid,
  ulidBefore,
  uuidToBase32,
} from './ids.ts';

describe('the number of a merchant', () => {
  test.each([
    ['00000000-0000-0000-0000-000000000000', 'mr_00000000000000000000000000'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'mr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ'],
    ['00000000-0000-0000-0000-000000000020', 'mr_00000000000000000000000010'],
  ])('%s is %s', (merchant_id, merchant_no) => {
    expect(merchantNo(merchant_id)).toBe(merchant_no);
    expect(merchantIdOf(merchant_no)).toBe(merchant_id);
  });

  test('leads back to the merchant, whichever it is', () => {
    fc.assert(
      fc.property(fc.uuid(), (merchant_id) => {
        expect(merchantIdOf(merchantNo(merchant_id))).toBe(merchant_id);
        expect(base32ToUuid(uuidToBase32(merchant_id))).toBe(merchant_id);
      }),
    );
  });

  test.each([
    '',
    'mr_',
    'mr_0000000000000000000000000',
    'mr_000000000000000000000000000',
    'mr_80000000000000000000000000',
    'mr_0000000000000000000000000I',
    'mr_0000000000000000000000000L',
    'mr_0000000000000000000000000O',
    'mr_0000000000000000000000000U',
    'mr_0000000000000000000000000a',
    'MR_00000000000000000000000000',
    'mp_00000000000000000000000000',
    ' mr_00000000000000000000000000',
    'mr_00000000000000000000000000\n',
    '00000000-0000-0000-0000-000000000000',
  ])('%j is not an id', (text) => {
    expect(merchantIdOf(text)).toBeNull();
  });
});

describe('D-054 ids', () => {
  const at = new Date('2026-01-02T03:04:05.678Z');

  test('a ULID is 26 characters that begin with its instant', () => {
    const ulid = systemIds().ulid(at);
    expect(ulid).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(ulid.slice(0, 10)).toBe(
      uuidToBase32(`00000000-0000-0000-0000-${at.getTime().toString(16).padStart(12, '0')}`).slice(16),
    );
  });

  test('D-156 ids of one source sort in the order they were made, in one instant and over many', () => {
    const ids = systemIds();
    const made = Array.from({ length: 3_000 }, (_, i) =>
      ids.ulid(new Date(at.getTime() + Math.floor(i / 1_000))),
    );
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });

  test('D-962 ids sort though the clock is set back by a minute, and follow it if it is set back by more', () => {
    const ids = systemIds();
    const at = Date.UTC(2026, 10, 29, 12);
    const made = [0, -60_000, 1].map((later_ms) => ids.ulid(new Date(at + later_ms)));
    expect(made.toSorted()).toEqual(made);
    for (const far_ms of [-60_001, -60_000, -600_000]) {
      expect(timeOfUlid(ids.ulid(new Date(at + far_ms)))?.getTime()).toBe(at + far_ms);
    }
  });

  test('a bound lies between the ids of one millisecond and the next', () => {
    const next = new Date(at.getTime() + 1);
    const id = systemIds().ulid(at);
    expect([ulidBefore(next), id, ulidBefore(at)].sort()).toEqual([ulidBefore(at), id, ulidBefore(next)]);
    expect(ulidBefore(new Date(-1))).toBe(ulidBefore(new Date(0)));
  });

  test('an id tells for which instant it was made; another text tells none', () => {
    expect(timeOfUlid(systemIds().ulid(at))).toEqual(at);
    for (const text of ['', 'e1', systemIds().ulid(at).toLowerCase(), `8${systemIds().ulid(at).slice(1)}`]) {
      expect(timeOfUlid(text)).toBeNull();
    }
  });

  test('R-038 sources of different processes do not meet', () => {
    const made = Array.from({ length: 200 }, () => systemIds().ulid(at).slice(10));
    expect(new Set(made).size).toBe(made.length);
    // Every place of the random part takes many values.
    for (let place = 0; place < 16; place++) {
      expect(new Set(made.map((text) => text.charAt(place))).size).toBeGreaterThan(16);
    }
  });

  test('secrets hold as many bytes as asked, fit for an address', () => {
    const ids = systemIds();
    expect(Buffer.from(ids.secret(32), 'base64url')).toHaveLength(32);
    expect(ids.secret(32)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(ids.secret(32)).not.toBe(ids.secret(32));
    expect(ids.uuid()).toMatch(/^[0-9a-f-]{36}$/);
    expect(platformBook).toMatch(/^[0-]{36}$/);
  });
});
