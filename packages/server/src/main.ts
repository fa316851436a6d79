import { setFlagsFromString } from 'node:v8';
import { runCommand } from './cli/run-command.ts';

// Left alone, the heap grows up to fourfold before old garbage is collected. Most of ours is what requests leave
// behind, and collecting it sooner costs little: a process stays below 300 MB under full load.
setFlagsFromString('--heap-growing-percent=50');

process.exitCode = await runCommand(process.argv.slice(2), process.env);

// The channel to the first process of several would keep this one alive.
if (process.connected) process.exit();
