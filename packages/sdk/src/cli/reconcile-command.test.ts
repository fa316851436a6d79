import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { order } from '../../test/client-bed.ts';
import { startService, type FakeService } from '../../test/service.ts';
import { parseCsv } from './csv.ts';
import { runCommand } from './reconcile-command.ts';

let service: FakeService;
let folder: string;
let out: string;
let err: string;

beforeEach(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'paydesk-reconcile-'));
  [out, err] = ['', ''];
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function reconcile(csv: string, ...args: string[]): Promise<number> {
  const file = join(folder, 'records.csv');
  await writeFile(file, csv);
  const env = {
    PAYDESK_URL: service.origin,
    PAYDESK_CLIENT_ID: 'c1',
    PAYDESK_CLIENT_SECRET: 's',
    PAYDESK_TOKEN_ENDPOINT: `${service.origin}/token`,
  };
  return runCommand(['reconcile', '--since', '2026-03-01T00:00:00Z', '--records', file, ...args], {
    env,
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
}

const paid = { ...order, status: 'paid', status_version: 2, event_id: 'pe_1' };

test('records that match end with 0, also those whose order is older', async () => {
  const older = { ...paid, order_no: 'mp_0', external_reference: 'SO-0', event_id: 'pe_0' };
  service.answer({ status: 200, body: { items: [paid] } }, { status: 200, body: { items: [older] } });
  const code = await reconcile(
    'external_reference,amount,currency,status,event_id\r\nSO-1,10,USD,paid,pe_1\r\n"SO-0",10.00,USD,paid,\r\n',
  );
  expect([code, err]).toEqual([0, '']);
  expect(out).toBe('2 records, 1 orders: 2 match, 0 differ\n');
  expect(service.calls.map(({ url }) => url)).toEqual([
    '/openapi/v1/merchant-payments?created_from=2026-03-01T00%3A00%3A00.000Z&limit=100',
    '/openapi/v1/merchant-payments?external_reference=SO-0&limit=100',
  ]);
});

test('D-1133 an older order is found, however many orders its reference has', async () => {
  const expired = Array.from({ length: 100 }, (_, i) => ({
    ...order,
    order_no: `mp_${i + 2}`,
    status: 'expired',
  }));
  const orders = [paid, ...expired];
  const pages = [[], orders.slice(1).reverse(), orders.slice(0, 100), orders.slice(100)];
  service.answer(
    ...pages.map((items, i) => ({ status: 200, body: { items, ...(i === 2 ? { next_cursor: 'c' } : {}) } })),
  );
  const code = await reconcile('external_reference,amount,currency,status,event_id\nSO-1,10,USD,paid,pe_1\n');
  expect([code, out]).toEqual([0, '1 records, 0 orders: 1 match, 0 differ\n']);
});

test.each([
  ['one record', [], '1 records, 1 orders: 1 match, 0 differ\n'],
  ['a record of each', ['SO-1,10,USD,paid,pe_2'], '2 records, 1 orders: 2 match, 0 differ\n'],
])(
  'D-1295 a late payment of an order that is older than --since matches, beside a later attempt with %s',
  async (_name, further, expected) => {
    const again = further.length === 0 ? { ...order, status: 'expired' } : { ...paid, event_id: 'pe_2' };
    const later = { ...again, order_no: 'mp_2' };
    service.answer(
      { status: 200, body: { items: [later] } },
      { status: 200, body: { items: [later, paid] } },
    );
    const rows = ['external_reference,amount,currency,status,event_id', 'SO-1,10,USD,paid,pe_1', ...further];
    expect([await reconcile(rows.join('\n')), out]).toEqual([0, expected]);
  },
);

test.each([
  ['=SO-1', "'=SO-1"],
  ["'=SO-1", "''=SO-1"],
])(
  'D-1069 D-1110 a file of Paydesk matches, where %s is written as %s',
  async (external_reference, written) => {
    service.answer({ status: 200, body: { items: [{ ...paid, external_reference }] } });
    const code = await reconcile(
      `external_reference,amount,currency,status\r\n"${written}",10.00,USD,paid\r\n`,
    );
    expect([code, out]).toEqual([0, '1 records, 1 orders: 1 match, 0 differ\n']);
  },
);

test('what differs is printed, and the code is 1', async () => {
  const unknown = { ...paid, order_no: 'mp_2', external_reference: 'SO-2', event_id: 'pe_2' };
  const answers = [[paid, unknown], [], [paid]];
  service.answer(...answers.map((items) => ({ status: 200, body: { items } })));
  const code = await reconcile(
    'external_reference;amount;currency;status\nSO-1;12.00;USD;pending\nSO-3;5.00;USD;paid\n',
  );
  expect(code).toBe(1);
  expect(out.split('\n')).toEqual([
    'differs in amount, status: your SO-1 12.00 USD pending, Paydesk mp_1 (SO-1 10.00 USD paid)',
    'no order in Paydesk: your SO-3 5.00 USD paid',
    'no record of yours: Paydesk mp_2 (SO-2 10.00 USD paid)',
    '2 records, 2 orders: 0 match, 3 differ',
    '',
  ]);
});

test('D-1297 a difference is one line, whatever characters a reference has', async () => {
  service.answer({
    status: 200,
    body: { items: [{ ...paid, external_reference: 'SO-2\n\u001b[2J\u202e' }] },
  });
  expect(await reconcile('external_reference,amount,currency,status\n')).toBe(1);
  expect(out.split('\n')).toEqual([
    'no record of yours: Paydesk mp_1 (SO-2\\u{a}\\u{1b}[2J\\u{202e} 10.00 USD paid)',
    '0 records, 1 orders: 0 match, 1 differ',
    '',
  ]);
});

describe('what cannot be compared ends with 2 and one line', () => {
  test.each<[string, string, string[], RegExp]>([
    ['a column that is missing', 'reference,amount\na,1\n', [], /no column external_reference/],
    [
      'a field that is missing',
      'external_reference,amount,currency,status\na,1,USD\n',
      [],
      /line 2 has 3 fields/,
    ],
    [
      'an empty field',
      'external_reference,amount,currency,status\na,,USD,paid\n',
      [],
      /line 2 of the records has no amount/,
    ],
    ['a time that is none', '', ['--until', 'noon'], /--until must be a time/],
    ['D-1413 a day that does not exist', '', ['--until', '2026-02-30T00:00:00Z'], /--until must be a time/],
    ['an unknown option', '', ['--form', 'x'], /--form/],
  ])('%s', async (_name, csv, args, message) => {
    expect(await reconcile(csv, ...args)).toBe(2);
    expect([err.trim().split('\n').length, out]).toEqual([1, '']);
    expect(err).toMatch(message);
  });

  test('a refusal of the service', async () => {
    service.answerTokens({ status: 401, body: { error: 'invalid_client', error_description: 'Unknown.' } });
    expect(await reconcile('external_reference,amount,currency,status\n')).toBe(2);
    expect(err).toBe('Paydesk could not be read: 401 invalid_client. Unknown.\n');
  });
});

test('CSV has quotes, line breaks in quotes, a byte order mark, and empty lines', () => {
  expect(parseCsv('\uFEFFa, b\n"x ""y"", z","1\n2"\n\n,\n')).toEqual([
    { a: 'x "y", z', b: '1\n2' },
    { a: '', b: '' },
  ]);
  expect(() => parseCsv('a,b\n"x"y,1\n')).toThrow('line 2');
});
