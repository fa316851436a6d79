import { expect, test } from 'vitest';
import { loadTexts } from '../../texts/texts.ts';
import { kindOf, nameOf } from './acts.ts';

await loadTexts(['acts']);

test.each([
  ['payment_link:JSpNmt2BROmx_iRw', 'Payment link', 'JSpNmt2BROmx_iRw'],
  ['client:cl_1', 'API key', 'cl_1'],
  ['kind_of_later:x_1', 'kind of later', 'x_1'],
  ['/console/v1/merchants/mr_1C7CJHB6PR91PA9CQNAM7VZA9N/collection-orders.csv', '', 'collection-orders.csv'],
  ['settings', '', 'settings'],
])('D-491 D-1035 the activity shows %s once, with no letter changed in its name', (target, kind, name) => {
  expect([kindOf(target), nameOf(target)]).toEqual([kind, name]);
});
