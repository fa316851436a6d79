/** The secret keys of the service, for commands that use them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SecretBox, secretBox } from '../base/secret-box.ts';
import type { Config } from '../config.ts';

/** Opens the key ring of the environment, or the key that `npm start` created; null if there is neither. */
export async function readBox({ secret_keys, database_url, data_dir }: Config): Promise<SecretBox | null> {
  const [current, ...older] = secret_keys;
  if (current !== undefined) return secretBox([current, ...older]);
  if (database_url !== null) return null;
  const demo = await readFile(join(data_dir, 'demo.json'), 'utf8').catch(() => null);
  if (demo === null) return null;
  return secretBox([Buffer.from((JSON.parse(demo) as { secret_key: string }).secret_key, 'base64')]);
}
