#!/usr/bin/env node
import { spawn } from 'node:child_process';

/**
 * Runs a program for as long as its starter lives, where the kernel offers no parent-death signal: standard input
 * is a pipe from the starter, and its end is the starter's end.
 *
 * Usage: with-parent.js SIGNAL UID:GID|- COMMAND [ARGUMENT…]
 */
const [signal, user, command, ...args] = process.argv.slice(2);
const [uid, gid] = user === '-' ? [] : user.split(':').map(Number);
const child = spawn(command, args, { uid, gid, stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });

const end = () => child.kill(signal);
process.stdin.on('end', end).on('error', end).resume();
for (const name of ['SIGINT', 'SIGTERM', 'SIGQUIT']) process.on(name, () => child.kill(name));
child.on('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
child.on('exit', (code) => process.exit(code ?? 1));
