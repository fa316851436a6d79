import { mkdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { joinEmbedded, openEmbedded } from '../../src/embedded/open-embedded.ts';
import { isAlive } from '../../src/embedded/processes.ts';
import { askDatabase } from '../support/servers/database.ts';
import { dataDir, hold, serverPid } from './helpers.ts';

const purpose = 'paydesk start';

describe.each([{ transport: 'socket' as const }, { transport: 'loopback' as const }])(
  'over %o',
  (options) => {
    test('a command joins the database of a running service, and leaves it running', async () => {
      const data_dir = await dataDir();
      const held = await hold('open', { data_dir, purpose, ...options });
      await askDatabase(held.url, 'CREATE TABLE seen (n int)');
      const joined = await joinEmbedded({ data_dir, purpose: 'paydesk migrate' });
      expect(joined.joined).toBe(true);
      expect(await askDatabase(joined.url, 'SELECT count(*)::int AS n FROM seen')).toEqual([{ n: 0 }]);
      await joined.stop();
      expect(await askDatabase(held.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    });
  },
);

test('a command joins a service that is still starting', async () => {
  const data_dir = await dataDir();
  const starting = openEmbedded({ data_dir, purpose });
  await mkdir(data_dir, { recursive: true });
  const [service, command] = await Promise.all([
    starting,
    hold('join', { data_dir, purpose: 'paydesk migrate' }),
  ]);
  expect(command.joined).toBe(true);
  expect(await command.end()).toBe(0);
  await service.stop();
});

test('where no service runs, a command starts the database for its own time', async () => {
  const data_dir = await dataDir();
  const service = await openEmbedded({ data_dir, purpose });
  await askDatabase(service.url, 'CREATE TABLE seen (n int)');
  await service.stop();
  const command = await joinEmbedded({ data_dir, purpose: 'paydesk verify-ledger' });
  const pid = await serverPid(data_dir);
  expect(command.joined).toBe(false);
  expect(await askDatabase(command.url, 'SELECT count(*)::int AS n FROM seen')).toEqual([{ n: 0 }]);
  await expect(openEmbedded({ data_dir, purpose })).rejects.toThrow('in use by "paydesk verify-ledger"');
  await command.stop();
  expect(isAlive(pid)).toBe(false);
});

test('a command in the wrong place says so and makes nothing', async () => {
  const data_dir = await dataDir();
  await expect(joinEmbedded({ data_dir, purpose: 'paydesk migrate' })).rejects.toThrow(
    /There is no data directory .*PAYDESK_DATA_DIR/,
  );
});
