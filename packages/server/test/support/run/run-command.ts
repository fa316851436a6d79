import { vi } from 'vitest';
import { runCommand } from '../../../src/cli/run-command.ts';
import type { TestService } from '../desks/service.ts';

/** Runs a command on the database of a service as a process would, and returns its exit code and its output. */
export async function commandOn(
  { database, secret_key }: Pick<TestService, 'database' | 'secret_key'>,
  ...args: string[]
): Promise<{ code: number; out: string }> {
  const lines: string[] = [];
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((line: unknown) => void lines.push(String(line))),
  );
  const code = await runCommand(args, {
    DATABASE_URL: database.url,
    PAYDESK_SECRET_KEY: secret_key.toString('base64'),
    PAYDESK_TEST_CLOCK: '1',
  });
  for (const spy of spies) spy.mockRestore();
  return { code, out: lines.join('\n') };
}
