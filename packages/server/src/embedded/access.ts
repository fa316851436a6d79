/** Who may connect to the embedded PostgreSQL: access rules and the password. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { type Binaries, program } from './binaries.ts';
import { EmbeddedError } from './embedded-error.ts';
import type { Layout } from './layout.ts';
import { serverEnvironment } from './processes.ts';
import { asUser, type SystemUser } from './run-as.ts';

/** The name of the service's database and of the role that owns it. */
export const role = 'paydesk';

/** The role that the service works under. It owns nothing. */
export const serviceRole = 'paydesk_service';

/** How clients connect: by a private socket, or by loopback with a password on systems without sockets. */
export type Transport = 'socket' | 'loopback';

/**
 * Writes the access rules. The socket admits the user who starts Paydesk and root; the operating system tells who
 * connects. Loopback admits clients with the password.
 */
export async function writeAccessRules(layout: Layout, transport: Transport): Promise<void> {
  const bySocket = transport === 'socket';
  const hba = bySocket
    ? `local all ${role},${serviceRole} peer map=paydesk\n`
    : `host all ${role},${serviceRole} 127.0.0.1/32 scram-sha-256\n`;
  await rewrite(layout.hba, hba, 0o644);
  const names = bySocket ? ['root', userInfo().username] : [];
  const ident = [...new Set(names)]
    .flatMap((name) => [role, serviceRole].map((as) => `paydesk "${name}" ${as}\n`))
    .join('');
  await rewrite(layout.ident, ident, 0o644);
}

/** Replaces a file by a new one, so that the owner and the mode of an old one are not kept. */
async function rewrite(path: string, text: string, mode: number): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { mode, flag: 'wx' });
}

/** The password of the loopback transport, or undefined if none is set. */
export async function readPassword(layout: Layout): Promise<string | undefined> {
  return readFile(layout.password, 'utf8').catch(() => undefined);
}

/**
 * Sets a new random password while no server runs. PostgreSQL gets it through a pipe. Commands that join a running
 * server read it from a file that only its owner can read.
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
        else reject(new EmbeddedError(`PostgreSQL could not set its password: ${complaint.trim()}`));
      },
    );
    child.stdin?.end(`ALTER ROLE ${role} PASSWORD '${password}'\n`);
  });
  await rewrite(layout.password, password, 0o600);
  return password;
}
