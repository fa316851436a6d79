import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { type Binaries, program } from './binaries.ts';
import { EmbeddedError } from './embedded-error.ts';
import type { Layout } from './layout.ts';
import { serverEnvironment } from './processes.ts';
import { asUser, type SystemUser } from './run-as.ts';

/** The database user and the database of the service. */
export const role = 'paydesk';

/** How clients reach the server: a private socket where the system has them, else loopback and a password. */
export type Transport = 'socket' | 'loopback';

/**
 * Writes who may connect. Over the socket, the operating system says who it is: the user who starts Paydesk, and
 * root. Over loopback, whoever knows the password.
 */
export async function writeAccessRules(layout: Layout, transport: Transport): Promise<void> {
  const bySocket = transport === 'socket';
  const hba = bySocket
    ? `local all ${role} peer map=paydesk\n`
    : `host all ${role} 127.0.0.1/32 scram-sha-256\n`;
  await rewrite(layout.hba, hba, 0o644);
  const names = bySocket ? ['root', userInfo().username] : [];
  const ident = [...new Set(names)].map((name) => `paydesk "${name}" ${role}\n`).join('');
  await rewrite(layout.ident, ident, 0o644);
}

/** A new file each time: an old one's owner and mode are not kept. */
async function rewrite(path: string, text: string, mode: number): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { mode, flag: 'wx' });
}

/** The password of the loopback transport, or undefined where none was set. */
export async function readPassword(layout: Layout): Promise<string | undefined> {
  return readFile(layout.password, 'utf8').catch(() => undefined);
}

/**
 * Gives the role a new random password while no server runs. PostgreSQL gets it through a pipe, commands that join
 * through a file that only its owner can read.
 */
export async function setPassword(
  layout: Layout,
  binaries: Binaries,
  user: SystemUser | null,
): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const args = ['--single', '-D', layout.database, '-c', 'log_min_error_statement=panic', 'postgres'];
  await new Promise<void>((resolve, reject) => {
    const child = execFile(
      program(binaries.bin, 'postgres'),
      args,
      { ...asUser(user), cwd: layout.database, env: serverEnvironment() },
      (error, _out, complaint) => {
        if (error === null) resolve();
        else reject(new EmbeddedError(`PostgreSQL took no password: ${complaint.trim()}`));
      },
    );
    child.stdin?.end(`ALTER ROLE ${role} PASSWORD '${password}'\n`);
  });
  await rewrite(layout.password, password, 0o600);
  return password;
}
