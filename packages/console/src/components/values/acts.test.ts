import { expect, test } from 'vitest';
import { kindOf, nameOf } from './acts.ts';

test.each([
  ['payment_link:JSpNmt2BROmx_iRw', 'payment link', 'JSpNmt2BROmx_iRw'],
  ['/console/v1/merchants/mr_1C7CJHB6PR91PA9CQNAM7VZA9N/collection-orders.csv', '', 'collection-orders.csv'],
  ['settings', '', 'settings'],
])('D-1035 the activity shows %s once, with no letter changed in its name', (target, kind, name) => {
  expect([kindOf(target), nameOf(target)]).toEqual([kind, name]);
});
