import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Certificate, createLoopbackCertificate } from '../demo/certificate.ts';
import { printLine as print } from '../base/log.ts';
import { startLocalReceiver } from '../demo/receiver.ts';
import { CommandError, UsageError } from './shared/command-errors.ts';
import type { CommandContext } from './shared/command.ts';
import { waitUntilStopped } from './shared/until-stopped.ts';

/** `paydesk listen`: runs a receiver for development that verifies notifications and prints them. */
export async function listenCommand({ options, config, env }: CommandContext): Promise<number> {
  const port = readNumber('--port', options.port, [0, 65_535]);
  const status = readNumber('--status', options.status, [200, 599]);
  const { path = '', 'forward-to': forward_to } = options;
  if (forward_to !== undefined && !/^https?:/.test(URL.canParse(forward_to) ? forward_to : '')) {
    throw new UsageError('--forward-to must be an address such as http://127.0.0.1:3000/paydesk.');
  }
  if (!/^\/[^?#\s]*$/.test(path))
    throw new UsageError('--path must begin with a slash and must have no query.');
  const secrets = readSecrets(options.secret, env.PAYDESK_NOTIFY_SECRET);

  const { certificate, file } = await loadCertificate(join(config.data_dir, 'listen'));
  const receiver = await startLocalReceiver({
    port,
    path,
    certificate,
    secrets,
    status,
    print,
    forward_to: forward_to ?? null,
  }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new CommandError(`Port ${port} is in use: choose another with --port.`);
  });
  print(
    `Listening on ${receiver.url}, answering ${forward_to === undefined ? status : `as ${forward_to} does`}.`,
  );
  print('Start the Paydesk on this machine with these two settings, so that it delivers here:');
  print(`  PAYDESK_NOTIFY_CA_FILE=${file}`);
  print('  PAYDESK_NOTIFY_ALLOW_CIDRS=127.0.0.1/32');
  print('It then sends notifications that go to this address. Those signed with your secret are verified.');
  try {
    await waitUntilStopped();
  } finally {
    await receiver.close();
  }
  return 0;
}

/** Reads the secrets, separated by spaces. After a rotation, several are in use; no secret contains white space. */
function readSecrets(option: string | undefined, variable: string | undefined): string[] {
  const given = option ?? variable ?? '';
  const secrets = given.split(/\s+/).filter((secret) => secret !== '');
  if (secrets.length === 0) {
    throw new CommandError('Set PAYDESK_NOTIFY_SECRET to the secret that signs; separate several by spaces.');
  }
  return secrets;
}

function readNumber(name: string, value: unknown, [from, to]: [number, number]): number {
  const number = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : -1;
  if (number < from || number > to) throw new UsageError(`${name} must be a number from ${from} to ${to}.`);
  return number;
}

/** Loads the certificate, or creates it at the first run. A service that trusts it need not be restarted later. */
async function loadCertificate(dir: string): Promise<{ certificate: Certificate; file: string }> {
  const file = join(dir, 'certificate.pem');
  const key_file = join(dir, 'key.pem');
  if (!existsSync(file)) {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const made = await createLoopbackCertificate('paydesk listen');
    await writeFile(key_file, made.key, { mode: 0o600, flush: true });
    // The certificate is written last, by a rename: if it exists, it is complete, and so is its key.
    await writeFile(`${file}.new`, made.cert, { flush: true });
    await rename(`${file}.new`, file);
  }
  const [cert, key] = await Promise.all([readFile(file, 'utf8'), readFile(key_file, 'utf8')]);
  return { certificate: { cert, key }, file };
}
