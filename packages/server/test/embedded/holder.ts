import { once } from 'node:events';
import { joinEmbedded, openEmbedded, type EmbeddedOptions } from '../../src/embedded/open-embedded.ts';

/**
 * A process that opens or joins the embedded database and holds it until its input ends, as the service and its
 * commands do. Tests can kill it. It prints one line of JSON.
 */
const [mode, options = '{}'] = process.argv.slice(2);
const open = mode === 'join' ? joinEmbedded : openEmbedded;
try {
  const embedded = await open(JSON.parse(options) as EmbeddedOptions);
  const { url, joined, runs_as } = embedded;
  console.log(JSON.stringify({ url, joined, runs_as }));
  process.stdin.resume();
  await once(process.stdin, 'end');
  await embedded.stop();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
