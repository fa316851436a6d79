import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IdSource } from '../base/ids.ts';
import { type Certificate, loopbackCertificate } from './certificate.ts';

/** What the demo made up at its first start and shows at every other; kept in the data directory. */
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
  /** The demo receiver's certificate and key; its certificate is its own authority. */
  certificate: Certificate;
}

/** Reads the demo's secrets, or makes them up; readable by this user alone. */
export async function demoState(data_dir: string, ids: IdSource, now: Date): Promise<DemoState> {
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
    passwords: { admin: word(ids), merchant: word(ids), buyer: word(ids) },
    client_secret: ids.secret(32),
    card_secret_key: `sk_demo_${ids.secret(18)}`,
    card_webhook_secret: `whsec_${ids.secret(24)}`,
    notify_secret: ids.secret(32),
    certificate: await loopbackCertificate('Paydesk demo receiver'),
  };
  // Whole or not at all: a kill in between leaves no half a file.
  await writeFile(`${path}.new`, JSON.stringify(state, null, 2), { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  return state;
}

/** A password that can be typed. */
const word = (ids: IdSource): string => ids.secret(9).replace(/[-_]/g, 'x');
