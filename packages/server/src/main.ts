/** The entry of the `paydesk` program: settings of the process, then the command. */
import { setFlagsFromString } from 'node:v8';
import { endWithReader } from './cli/ended-reader.ts';
import { runCommand } from './cli/run-command.ts';

// By default the heap grows up to fourfold before old garbage is collected. Most of our garbage comes from requests, and
// collecting it sooner costs little: a process stays below 300 MB under full load.
setFlagsFromString('--heap-growing-percent=50');

const [command = ''] = process.argv.slice(2);

// The log of `serve` writes to the descriptor itself.
if (command !== 'serve') endWithReader();

process.exitCode = await runCommand(process.argv.slice(2), process.env);

// A service that has stopped ends, whatever this process still waits for: the channel to the first process of several, or an
// answer that never comes, such as a card provider's (H-24).
if (process.connected || ['serve', 'start'].includes(command)) process.exit();
