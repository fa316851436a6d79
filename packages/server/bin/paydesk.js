#!/usr/bin/env node
/** The command `paydesk`: runs the built service. */
import { existsSync } from 'node:fs';
import { refusalOfNode } from './node-version.js';

/** Says why the program cannot run, and ends it. */
function refuse(line) {
  console.error(line);
  process.exit(1);
}

const refusal = refusalOfNode(process.versions.node);
if (refusal !== null) refuse(refusal);

// In a container this is process 1, which a signal without a handler does not end. A command that is about to stop in
// good order has a handler of its own.
if (process.pid === 1) {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(143);
    });
  }
}

const main = new URL('../dist/program/main.js', import.meta.url);
if (!existsSync(main)) refuse('Not built yet: run "npm run build" first.');
try {
  await import(main.href);
} catch (error) {
  // The library for passwords has its program in an optional package, one for each platform.
  if (!/native binding/.test(String(error?.message))) throw error;
  refuse(
    'A part of @node-rs/argon2 is missing. Install again without "--omit=optional", on the kind of machine that runs Paydesk.',
  );
}
