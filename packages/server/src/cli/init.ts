import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { environmentFile } from './environment-file.ts';
import type { CommandContext } from './shared/command.ts';
import { CommandError } from './shared/command-errors.ts';

/** `paydesk init`: writes an environment file with fresh keys, which only its owner can read. It overwrites nothing. */
export async function initCommand({ options: { out = 'paydesk.env' } }: CommandContext): Promise<number> {
  const text = environmentFile({
    secret_key: randomBytes(32).toString('base64'),
    admin_key: randomBytes(24).toString('base64url'),
  });
  try {
    await writeFile(out, text, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CommandError(`${out} exists already: choose another file with --out, or remove it.`);
    // A part of it would be in the way of the next try.
    await rm(out, { force: true }).catch(() => undefined);
    throw error;
  }
  console.log(
    `Wrote ${out} with fresh keys. Only you can read it; keep a copy of PAYDESK_SECRET_KEY elsewhere.`,
  );
  console.log('Next: edit the addresses, load the file and run "npx paydesk doctor".');
  return 0;
}
