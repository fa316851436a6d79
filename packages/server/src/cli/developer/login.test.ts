import { PaydeskError } from '@paydesk/sdk';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keepAddress } from '../../demo/demo-state.ts';
import type { CommandContext } from '../shared/command.ts';
import { demoLogin, loggedIn, refused } from './login.ts';

test('where nothing answers, the command names the address and how to give another', () => {
  const error = new PaydeskError({ status: 0, code: 'network_error' });
  expect(() => refused(error, 'http://127.0.0.1:8080')).toThrow(
    'Paydesk does not answer at http://127.0.0.1:8080 (network_error). "paydesk login --url URL" takes another address.',
  );
});

test('D-611 without --url, login takes the address at which the demo platform of the data directory serves', async () => {
  const data_dir = await mkdtemp(join(tmpdir(), 'paydesk-login-'));
  onTestFinished(() => rm(data_dir, { recursive: true }));
  await expect(demoLogin(data_dir, undefined)).rejects.toThrow('there is no demo platform');
  const demo = { ids: { client_id: 'cl_1' }, client_secret: 'secret', admin_key: 'ak_1' };
  await writeFile(join(data_dir, 'demo.json'), JSON.stringify(demo));
  const login = { client_id: 'cl_1', client_secret: 'secret', admin_key: 'ak_1' };
  expect(await demoLogin(data_dir, undefined)).toEqual({ ...login, url: 'http://127.0.0.1:8080' });
  await writeFile(join(data_dir, 'address'), '');
  expect(await demoLogin(data_dir, undefined)).toEqual({ ...login, url: 'http://127.0.0.1:8080' });
  await keepAddress(data_dir, 'http://127.0.0.1:9999/pay');
  expect(await demoLogin(data_dir, undefined)).toEqual({ ...login, url: 'http://127.0.0.1:9999/pay' });
  expect(await demoLogin(data_dir, 'http://other')).toEqual({ ...login, url: 'http://other' });
});

test('D-683 the administration key of the settings comes before the one of the demo', async () => {
  const home = await mkdtemp(join(tmpdir(), 'paydesk-home-'));
  vi.stubEnv('XDG_CONFIG_HOME', home);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(home, { recursive: true });
  });
  const login = { url: 'http://127.0.0.1:1', client_id: 'cl_1', client_secret: 'secret', admin_key: 'ak_1' };
  await mkdir(join(home, 'paydesk'));
  await writeFile(join(home, 'paydesk', 'login.json'), JSON.stringify(login));
  const withKey = (admin_key: string | null) =>
    loggedIn({ config: { admin_key } } as unknown as CommandContext);
  expect((await withKey('of the settings')).admin_key).toBe('of the settings');
  expect((await withKey(null)).admin_key).toBe('ak_1');
});
