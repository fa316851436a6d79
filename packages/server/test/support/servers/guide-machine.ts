/** A machine on which a guide is followed: its folders are below one of the test, and its PostgreSQL has a port of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asUser, serverUser } from '../../../src/embedded/run-as.ts';
import { debianPostgresBin } from '../run/tools.ts';
import { freePort } from './ports.ts';

export interface GuideMachine {
  /** Where its `/var/lib` and `/backup` are. */
  path: string;
  port: number;
  /** Runs a text as the user of the server and returns what it printed. */
  shell(text: string, env?: NodeJS.ProcessEnv): Promise<string>;
}

/** @param home a folder that other users can pass through */
export async function openGuideMachine(home: string, name: string): Promise<GuideMachine> {
  const path = join(home, name);
  const port = await freePort();
  const user = serverUser(home);
  await mkdir(path);
  if (user !== null) await chown(path, user.uid, user.gid);
  return {
    path,
    port,
    async shell(text, env = {}) {
      const ours = text.replaceAll('/backup/', `${path}/backup/`).replaceAll('/var/lib/', `${path}/lib/`);
      // A server that it starts keeps the output open: so it is a file.
      const printed = join(home, `${name}-printed`);
      const file = await open(printed, 'w');
      const child = spawn('/bin/bash', ['-ec', ours], {
        ...asUser(user),
        cwd: path,
        stdio: ['ignore', file.fd, file.fd],
        env: {
          PATH: `${debianPostgresBin()}:${process.env.PATH}`,
          // PostgreSQL itself takes its port from here, too: the settings of the guide are the same on all servers.
          ...{ PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'postgres' },
          ...env,
        },
      });
      const [code] = (await once(child, 'exit')) as [number | null];
      await file.close();
      const output = await readFile(printed, 'utf8');
      if (code !== 0) throw new Error(`${ours} ended with ${code}: ${output}`);
      return output.trim();
    },
  };
}
