import { describe, expect, test } from 'vitest';
import { fillStatement, insertScript, selectScript, type StoredRow } from './reference-rows.ts';

const column = (name: string, value: string | null, type = 'text') => ({ name, type, value });

const order: StoredRow = {
  table: 'collection_orders',
  columns: [
    column('merchant_id', '6f1c…', 'uuid'),
    column('order_no', 'mp_01'),
    column('description', `O'Hara\\ at 12:30 costs {"a":true}`),
    column('event_id', null),
  ],
};
const quote = (method_id: string): StoredRow => ({
  table: 'payment_quotes',
  columns: [
    column('order_no', 'mp_01'),
    column('method_id', method_id),
    column('subtotal', '1000', 'numeric(40,0)'),
  ],
});

describe('the reference of order creation', () => {
  const { script, variables } = insertScript([order, quote('pm_a'), quote('pm_b')], 50, 2);

  test('is one statement with all rows of all tables', () => {
    expect(script.match(/;$/gm)).toHaveLength(1);
    expect(script).toMatch(
      /WITH w0 AS \(INSERT INTO collection_orders \(merchant_id, order_no, description, event_id\)/,
    );
    expect(script).toMatch(
      /INSERT INTO payment_quotes \(order_no, method_id, subtotal\) VALUES \(.*\), \(.*\);/,
    );
    expect(script).not.toContain('notifications');
  });

  test('copies what the service wrote, quoted so that pgbench finds no variable in it', () => {
    expect(script).toContain(`E'O''Hara\\\\ at 12\\x3a30 costs {"a"\\x3atrue}'::text`);
    expect(script).toContain("E'1000'::numeric(40,0)");
    expect(script).toContain('NULL::text');
  });

  test('tells copies apart by a number that no other run uses', () => {
    expect(script).not.toContain("'mp_01'");
    expect(script).toContain("('mp_' || lpad(:k::text, 26, '0'))");
    expect(script).toContain("md5('0' || :k::text)");
    expect(script).toContain("md5('1' || :k::text)");
    expect(script).toContain('\\set m random(0, 49)');
    expect(variables.n).not.toBe(insertScript([order], 50, 3).variables.n);
  });
});

test('the reference of reading finds what was filled in: keys are made alike', () => {
  const filled = fillStatement(order, 50);
  const { script } = selectScript(order, 50, 6_000);
  expect(filled).toContain("('mp_' || lpad(k::text, 26, '0'))");
  expect(script).toContain("order_no = ('mp_' || lpad(:k::text, 26, '0'))");
  expect(filled).toContain("lpad((k % 50)::text, 12, '0'))::uuid");
  expect(script).toContain('\\set m :k % 50');
  expect(script).toContain("merchant_id = ('00000000-0000-4000-8000-' || lpad(:m::text, 12, '0'))::uuid");
});
