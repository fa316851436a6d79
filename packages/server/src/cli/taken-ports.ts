import { createServer } from 'node:net';
import type { Config } from '../config.ts';
import { CommandError } from './shared/command-errors.ts';

const local = '127.0.0.1';

/**
 * Looks at all ports of `paydesk start` before it listens on the first (D-891).
 *
 * @throws CommandError that names each port that is in use, and the variable that changes it
 */
export async function refuseTakenPorts(config: Config, has_shop: boolean): Promise<void> {
  const { host, port, ops_port, demo_cardsim_port, demo_receiver_port, demo_shop_port } = config;
  const ports: [variable: string, host: string, port: number][] = [['PORT', host, port]];
  if (ops_port !== null) ports.push(['PAYDESK_OPS_PORT', host, ops_port]);
  if (config.demo) {
    ports.push(['PAYDESK_CARDSIM_PORT', local, demo_cardsim_port]);
    ports.push(['PAYDESK_RECEIVER_PORT', local, demo_receiver_port]);
  }
  if (has_shop) ports.push(['PAYDESK_SHOP_PORT', local, demo_shop_port]);
  const taken: string[] = [];
  // Each is held until all were looked at, so that two variables with one port are found too.
  const held: (() => void)[] = [];
  for (const [variable, address, number] of ports) {
    const release = await tryPort(address, number);
    if (release === null) taken.push(`Port ${number} is in use: set ${variable} to another port.`);
    else held.push(release);
  }
  for (const release of held) release();
  if (taken.length > 0) throw new CommandError(taken.join('\n'));
}

/** Listens on the port; null if it is in use. Other problems are told when the port is opened for use. */
function tryPort(host: string, port: number): Promise<(() => void) | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code === 'EADDRINUSE' ? null : () => undefined);
    });
    server.listen(port, host, () => {
      resolve(() => void server.close());
    });
  });
}
