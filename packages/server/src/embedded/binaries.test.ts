import { afterEach, expect, test } from 'vitest';
import { prepareBinaries } from './binaries.ts';

const arch = process.arch;

afterEach(() => {
  Object.defineProperty(process, 'arch', { value: arch });
});

test('a platform without a packaged PostgreSQL is told of DATABASE_URL', async () => {
  Object.defineProperty(process, 'arch', { value: 'riscv64' });
  await expect(prepareBinaries('/nowhere', null)).rejects.toThrow(
    /no embedded PostgreSQL for \w+-riscv64 .*set DATABASE_URL/,
  );
});

test('programs that do not run are named, with the way out', async () => {
  await expect(prepareBinaries('/nowhere', null, '/nowhere/bin')).rejects.toThrow(
    /\/nowhere\/bin does not run on this machine .*set DATABASE_URL/,
  );
});
