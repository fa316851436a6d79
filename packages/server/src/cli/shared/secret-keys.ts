/** The secret keys of the service, for commands that use them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SecretBox, secretBox } from '../../base/secret-box.ts';
import { type Config, ConfigError } from '../../config.ts';

type SecretKeys = readonly [Buffer, ...Buffer[]];

/** The secret keys of the environment, or the key that `npm start` created; null if there are neither. */
async function readSecretKeys({ secret_keys, database_url, data_dir }: Config): Promise<SecretKeys | null> {
  const [current, ...older] = secret_keys;
  if (current !== undefined) return [current, ...older];
  if (database_url !== null) return null;
  const demo = await readFile(join(data_dir, 'demo.json'), 'utf8').catch(() => null);
  if (demo === null) return null;
  return [Buffer.from((JSON.parse(demo) as { secret_key: string }).secret_key, 'base64')];
}

/**
 * The secret keys, for a command that does not work without them.
 *
 * @throws ConfigError if there are none
 */
export async function demandSecretKeys(config: Config): Promise<SecretKeys> {
  const keys = await readSecretKeys(config);
  if (keys === null) throw new ConfigError('PAYDESK_SECRET_KEY', 'must be set to the keys of the service.');
  return keys;
}

/** What derives from the secret keys alone, such as the keys of seals; null if there are no secret keys. */
export async function readBox(config: Config): Promise<SecretBox | null> {
  const keys = await readSecretKeys(config);
  return keys === null ? null : secretBox(keys);
}
