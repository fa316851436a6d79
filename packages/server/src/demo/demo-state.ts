/** The ids and secrets of the demo platform, the same at every start. */
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IdSource } from '../base/ids.ts';
import { type Certificate, createLoopbackCertificate } from './certificate.ts';

/** The ids and secrets of the demo. They are created at the first start and kept in the data directory. */
export interface DemoState {
  ids: {
    admin: string;
    merchant: string;
    buyer: string;
    merchant_id: string;
    client_id: string;
    card_channel: string;
    ptk_channel: string;
    webhook_key: string;
  };
  secret_key: string;
  admin_key: string;
  passwords: { admin: string; merchant: string; buyer: string };
  client_secret: string;
  card_secret_key: string;
  card_webhook_secret: string;
  notify_secret: string;
  /** The certificate and key of the demo receiver. */
  certificate: Certificate;
}

/** Loads the demo's ids and secrets, or creates them at the first start. Only this user can read the file. */
export async function loadDemoState(data_dir: string, ids: IdSource, now: Date): Promise<DemoState> {
  const path = join(data_dir, 'demo.json');
  if (existsSync(path)) return JSON.parse(await readFile(path, 'utf8')) as DemoState;
  const state: DemoState = {
    ids: {
      admin: ids.uuid(),
      merchant: ids.uuid(),
      buyer: ids.uuid(),
      merchant_id: ids.uuid(),
      client_id: `cl_${ids.ulid(now)}`,
      card_channel: `ch_${ids.ulid(now)}`,
      ptk_channel: `ch_${ids.ulid(now)}`,
      webhook_key: ids.secret(18),
    },
    secret_key: Buffer.from(ids.secret(32), 'base64url').toString('base64'),
    admin_key: `ak_${ids.secret(24)}`,
    passwords: {
      admin: createPassword(ids),
      merchant: createPassword(ids),
      buyer: createPassword(ids),
    },
    client_secret: ids.secret(32),
    card_secret_key: `sk_demo_${ids.secret(18)}`,
    card_webhook_secret: `whsec_${ids.secret(24)}`,
    notify_secret: ids.secret(32),
    certificate: await createLoopbackCertificate('Paydesk demo receiver'),
  };
  // Written by a rename, so that a crash leaves no incomplete file.
  await writeFile(`${path}.new`, JSON.stringify(state, null, 2), { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  return state;
}

const addressFile = (data_dir: string): string => join(data_dir, 'address');

/** Keeps the address at which the demo serves, for commands of the same data directory, such as `paydesk login` (D-611). */
export const keepAddress = (data_dir: string, url: string): Promise<void> =>
  writeFile(addressFile(data_dir), `${url}\n`);

/** The address at which the demo of this data directory served last; null if none is kept, or the file is damaged. */
export const keptAddress = (data_dir: string): Promise<string | null> =>
  readFile(addressFile(data_dir), 'utf8').then(
    (text) => (URL.canParse(text.trim()) ? text.trim() : null),
    () => null,
  );

/** A password that is easy to type. */
const createPassword = (ids: IdSource): string => ids.secret(9).replace(/[-_]/g, 'x');
