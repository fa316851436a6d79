import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, requireNode, root } from './lib/workspace.js';

/** `npm start`: from a fresh clone to a running Paydesk. Arguments go to `paydesk start`. */

requireNode();
// The shell between npm and us does not pass signals on. Its end is ours.
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, 500);
watch.unref();

const say = (line) => console.log(`paydesk: ${line} …`);
try {
  await ensureInstalled(say);
  await ensureBuilt(say);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

// In this process, so that signals and the exit code need not be passed on.
const program = join(root, 'packages', 'server', 'bin', 'paydesk.js');
process.argv.splice(1, 1, program, 'start', '--shop', join(root, 'examples', 'shop', 'shop.js'));
await import(pathToFileURL(program).href);
