/** Starts the receivers of notifications. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BenchError } from '../bench-error.ts';
import { builtFiles } from '../built-files.ts';
import { freePort, type Server, startServer } from './children.ts';

const program = fileURLToPath(new URL('./receivers-server.js', import.meta.url));

/** The PEM files of the receivers’ certificate and key. The certificate is self-signed. */
export interface Certificate {
  cert_file: string;
  key_file: string;
}

export async function makeCertificate(dir: string): Promise<Certificate> {
  const { createLoopbackCertificate } = (await import(builtFiles.certificate.href)) as {
    createLoopbackCertificate: (name: string) => Promise<{ cert: string; key: string }>;
  };
  const { cert, key } = await createLoopbackCertificate('benchmark');
  const files = { cert_file: join(dir, 'receivers.pem'), key_file: join(dir, 'receivers-key.pem') };
  await writeFile(files.cert_file, cert);
  await writeFile(files.key_file, key, { mode: 0o600 });
  return files;
}

/** The notifications that the healthy receivers got. */
export interface Received {
  count: number;
  /** Notifications per second in the middle of the run. */
  rate: number;
  /** From the status change to the arrival. */
  p50_ms: number;
  p95_ms: number;
}

/** The TLS receivers, which run in one process. */
export interface Receivers extends Server {
  healthy: readonly string[];
  /** These never answer. */
  hanging: readonly string[];
  received(): Promise<Received>;
  reset(): Promise<void>;
  /** Waits until `count` notifications have arrived. Throws if none arrives for half a minute. */
  waitFor(count: number): Promise<Received>;
}

export async function startReceivers(
  dir: string,
  { cert_file, key_file }: Certificate,
  [healthy, hanging]: [number, number],
  signal: AbortSignal,
): Promise<Receivers> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startServer({
    name: 'The receivers',
    args: [program, String(port), String(healthy), String(hanging), cert_file, key_file],
    env: { PATH: process.env.PATH ?? '' },
    log_file: join(dir, 'receivers.log'),
    url,
    ready_path: '/ports',
    signal,
  });
  const ask = async <T>(method: string, path: string): Promise<T> =>
    (await (await fetch(url + path, { method, signal })).json()) as T;
  const ports = await ask<Record<'healthy' | 'hanging', number[]>>('GET', '/ports');
  const addresses = (of: number[]): string[] => of.map((one) => `https://127.0.0.1:${one}/hook`);
  const received = (): Promise<Received> => ask('GET', '/figures');
  return {
    ...server,
    healthy: addresses(ports.healthy),
    hanging: addresses(ports.hanging),
    received,
    async reset() {
      await ask('POST', '/reset');
    },
    async waitFor(count) {
      let last = -1;
      for (let quiet = 0; quiet < 300; quiet++) {
        const now = await received();
        if (now.count >= count) return now;
        if (now.count > last) quiet = 0;
        last = now.count;
        await pause(100, undefined, { signal });
      }
      throw new BenchError(`Only ${last} of ${count} notifications arrived.`);
    },
  };
}
