/** The program `paydesk-sdk`. */
import { runCommand } from './reconcile-command.ts';

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
