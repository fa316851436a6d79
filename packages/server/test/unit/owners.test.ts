import { describe, expect, test } from 'vitest';
import { type Owners, ownersMissing } from '../support/rules/owners.ts';

const owners: Owners = new Map([
  ['orders', 'merchant_id'],
  ['holds', 'merchant_id'],
  ['wallets', 'user_id'],
  ['users', null],
  ['clients', null],
]);

describe('D-595 a statement that names the owner of each table has no fault', () => {
  test.each([
    ['by a value', 'SELECT 1 FROM orders WHERE merchant_id = $1::uuid AND order_no = $2 FOR UPDATE'],
    [
      'through a join',
      'SELECT 1 FROM orders o JOIN holds h USING (merchant_id, no) WHERE o.merchant_id = $1',
    ],
    ['in rows', 'SELECT 1 FROM orders WHERE (merchant_id, order_no) = ($1, $2)'],
    [
      'of an outer row',
      'SELECT (SELECT 1 FROM holds h WHERE h.merchant_id = o.merchant_id) FROM orders o WHERE o.merchant_id = $1',
    ],
    ['beside a choice', 'SELECT 1 FROM orders WHERE merchant_id = $1 AND (state = $2 OR state = $3)'],
    [
      'through a table on every node',
      'SELECT 1 FROM users u JOIN wallets w ON w.user_id = u.user_id WHERE u.user_id = $1',
    ],
    [
      'through a part with a name',
      'WITH o AS (SELECT * FROM orders WHERE merchant_id = $1) SELECT 1 FROM o JOIN holds h ON h.merchant_id = o.merchant_id',
    ],
    [
      'in new rows',
      'INSERT INTO orders AS o (merchant_id, no) VALUES ($1, $2) ON CONFLICT (merchant_id, no) DO UPDATE SET no = o.no',
    ],
    [
      'in each part',
      'WITH a AS (UPDATE orders SET x = 1 WHERE merchant_id = $1 RETURNING 1), b AS (UPDATE wallets SET x = x - $2 WHERE user_id = $3 AND x >= $2 RETURNING 1) SELECT 1 FROM a, b',
    ],
    ['where none is needed', 'SELECT 1 FROM users WHERE email = $1'],
    ['where it is no statement of rows', 'BEGIN'],
  ])('%s', (_, text) => {
    expect(ownersMissing(text, owners)).toEqual([]);
  });
});

describe('D-595 a statement that does not is reported, with the table', () => {
  const asked = (table: string): string => `${table} is asked without its merchant_id`;
  test.each([
    ['a key alone', 'SELECT 1 FROM orders WHERE order_no = $1', asked('orders')],
    ['a change', 'UPDATE orders SET merchant_id = $1 WHERE order_no = $2', asked('orders')],
    ['a removal', 'DELETE FROM holds USING orders o WHERE o.merchant_id = $1', asked('holds')],
    ['a choice', 'SELECT 1 FROM orders WHERE merchant_id = $1 OR order_no = $2', asked('orders')],
    ['several merchants', 'SELECT 1 FROM orders WHERE merchant_id = ANY ($1)', asked('orders')],
    ['a range', 'SELECT 1 FROM orders WHERE (merchant_id, no) > ($1, $2)', asked('orders')],
    ['a cast', 'SELECT 1 FROM orders WHERE merchant_id::text = $1', asked('orders')],
    ['a result', 'SELECT merchant_id = $1 FROM orders', asked('orders')],
    ['a join', 'SELECT 1 FROM orders o JOIN holds h ON h.no = o.no WHERE o.merchant_id = $1', asked('holds')],
    [
      'a table on every node',
      'SELECT 1 FROM orders o JOIN clients c ON c.merchant_id = o.merchant_id WHERE c.id = $1',
      asked('orders'),
    ],
    [
      'a query for it',
      'SELECT 1 FROM orders WHERE merchant_id IN (SELECT merchant_id FROM clients WHERE id = $1)',
      asked('orders'),
    ],
    [
      'one side of a union',
      'SELECT 1 FROM orders WHERE merchant_id = $1 UNION ALL SELECT 1 FROM orders',
      asked('orders'),
    ],
    [
      'a part of many',
      'WITH a AS (UPDATE holds SET x = 1 WHERE no = $1 RETURNING 1) SELECT 1 FROM a',
      asked('holds'),
    ],
    [
      'an inner query',
      'SELECT (SELECT 1 FROM holds h WHERE h.no = o.no) FROM orders o WHERE merchant_id = $1',
      asked('holds'),
    ],
    [
      'the owner of another table',
      'SELECT 1 FROM orders o JOIN wallets w ON w.user_id = o.buyer WHERE o.merchant_id = $1',
      'wallets is asked without its user_id',
    ],
    ['new rows', 'INSERT INTO orders (order_no) VALUES ($1)', 'rows of orders name no merchant_id'],
    ['an unknown table', 'DELETE FROM lines WHERE user_id = $1', 'lines has no mark'],
  ])('%s', (_, text, fault) => {
    expect(ownersMissing(text, owners)).toEqual([fault]);
  });
});
