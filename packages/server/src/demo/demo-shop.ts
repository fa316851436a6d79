/** Runs the demo shop beside the demo platform, as a separate program with a separate database. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface DemoShopOptions {
  /** The program, such as `examples/shop/shop.js`. */
  file: string;
  port: number;
  database_url: string;
  public_url: string;
  client_id: string;
  client_secret: string;
  notify_secret: string;
  print: (line: string) => void;
}

/** What the program needs of our environment. It gets no key of the platform. */
const inherited = ['PATH', 'HOME', 'TZ', 'SystemRoot'];

/** Milliseconds until a program that does not end is killed. */
const patience_ms = 5_000;

/** The address that buyers use. */
export const demoShopUrl = (port: number): string => `http://127.0.0.1:${port}`;

/** Where the receiver of the demo passes verified notifications on to. */
export const demoShopReceiver = (port: number): string => `${demoShopUrl(port)}/paydesk/notifications`;

/**
 * Starts the program and waits until it listens.
 *
 * @returns what stops it
 * @throws {Error} with its last line if it ends before
 */
export async function startDemoShop(options: DemoShopOptions): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [options.file], {
    env: {
      ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
      PORT: String(options.port),
      SHOP_DATABASE_URL: options.database_url,
      PAYDESK_URL: options.public_url,
      PAYDESK_CLIENT_ID: options.client_id,
      PAYDESK_CLIENT_SECRET: options.client_secret,
      NOTIFY_SECRETS: options.notify_secret,
      SHOP_EMBED: '1',
    },
    // The channel tells the program that we have ended, however that happens.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const exited = once(child, 'exit');
  let last = '';
  const ready = new Promise<void>((resolve) => {
    const onLine = (line: string): void => {
      last = line;
      if (line.startsWith('listening on ')) resolve();
      else options.print(`shop: ${line}`);
    };
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream as Readable }).on('line', onLine);
    }
  });
  const failed = exited.then(() => {
    throw new Error(`the demo shop ended: ${last}`);
  });
  await Promise.race([ready, failed]);
  let stopping = false;
  failed.catch((error: unknown) => {
    if (!stopping) options.print((error as Error).message);
  });
  return async () => {
    stopping = true;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), patience_ms);
    await exited;
    clearTimeout(timer);
  };
}
