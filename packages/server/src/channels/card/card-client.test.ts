import { expect, test } from 'vitest';
import { demandPackage, PackageError } from '../../base/load-once.ts';
import { unanswered } from './card-client.ts';

test('D-199 D-831 a package that cannot be loaded is our fault, and no unclear answer of the provider', async () => {
  const missing = () => Promise.reject(new Error("Cannot find package 'stripe'"));
  const fault: unknown = await demandPackage('stripe', missing).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(PackageError);
  expect(() => unanswered(fault)).toThrow(/^stripe cannot be loaded: .* Restart this process\.$/);
  expect(unanswered(new Error('the connection was closed'))).toMatchObject({ kind: 'unclear' });
});
