import { PaydeskError } from '@paydesk/sdk';
import { expect, test } from 'vitest';
import { refused } from './login.ts';

test('where nothing answers, the command names the address and how to give another', () => {
  const error = new PaydeskError({ status: 0, code: 'network_error' });
  expect(() => refused(error, 'http://127.0.0.1:8080')).toThrow(
    'Paydesk does not answer at http://127.0.0.1:8080 (network_error). "paydesk login --url URL" takes another address.',
  );
});
