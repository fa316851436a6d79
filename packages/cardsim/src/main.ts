/** The command `paydesk-cardsim`: starts a simulator and stops it on a signal. */
import { parseCommand, usage } from './cli.ts';
import { startCardsim, type Cardsim, type CardsimOptions } from './server.ts';

try {
  const command = parseCommand(process.argv.slice(2));
  if (command.help) process.stdout.write(usage);
  else await run(command.options);
} catch (error) {
  process.stderr.write(`paydesk-cardsim: ${messageOf(error)}\n`);
  process.exitCode = 1;
}

async function run(options: CardsimOptions): Promise<void> {
  const sim = await startCardsim(options);
  process.stdout.write(`Card simulator: ${sim.url} (API /v1, control /_sim)\n`);
  for (const { url } of options.webhooks ?? []) process.stdout.write(`Sending webhooks to ${url}\n`);
  process.once('SIGINT', () => void stop(sim));
  process.once('SIGTERM', () => void stop(sim));
}

async function stop(sim: Cardsim): Promise<void> {
  try {
    await sim.close();
  } catch (error) {
    process.stderr.write(`paydesk-cardsim: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}

/** A one-line message for an error. Common errors get an explanation. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE') return `Port ${port ?? ''} is in use. Choose another one with --port.`;
  if (code === 'EADDRNOTAVAIL') return `This machine does not have the address ${address ?? ''} (--host).`;
  if (code === 'EACCES') return `No permission: ${error.message}`;
  return error.message.split('\n', 1)[0] ?? '';
}
