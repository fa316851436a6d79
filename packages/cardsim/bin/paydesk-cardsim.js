#!/usr/bin/env node
/** The command `paydesk-cardsim`: runs the built simulator. */
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (!existsSync(main)) {
  console.error('Not built yet: run "npm run build" first.');
  process.exit(1);
}
await import(main.href);
