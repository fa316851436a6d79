import { afterEach, expect, test } from 'vitest';
import { prepareBinaries } from './binaries.ts';

const arch = process.arch;

afterEach(() => {
  Object.defineProperty(process, 'arch', { value: arch });
});

test('the error for a platform without a packaged PostgreSQL names DATABASE_URL', async () => {
  Object.defineProperty(process, 'arch', { value: 'riscv64' });
  await expect(prepareBinaries('/nowhere', null)).rejects.toThrow(
    /no embedded PostgreSQL for \w+-riscv64 .*set DATABASE_URL/,
  );
});

test('the error for programs that do not run names them and DATABASE_URL', async () => {
  await expect(prepareBinaries('/nowhere', null, '/nowhere/bin')).rejects.toThrow(
    /\/nowhere\/bin does not run on this machine .*set DATABASE_URL/,
  );
});
