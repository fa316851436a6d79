/** How much memory new objects take: little while a process starts, and never more than Node.js 20 and 22 would give them. */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Under load, 128 MB, to which Node.js 24 lets them grow, made no request cheaper. */
const usual_bytes = 32 * 1024 * 1024;

/**
 * Keeps their space at its present size (D-562): the garbage of a start would let it grow, and it does not shrink soon.
 */
export function keepNewObjectsSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Lets their space double, as V8 usually does, until it has its limit (D-1092). V8 takes a limit only from the command line. So
 * this looks after each collection, and lets it grow again where V8 has made it smaller meanwhile.
 *
 * @returns ends the watch
 */
export function letNewObjectsGrow(limit_bytes = usual_bytes): () => void {
  let grows = false;
  const adjust = (): void => {
    const size_bytes =
      getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
    if (grows === size_bytes < limit_bytes) return;
    grows = !grows;
    if (grows) setFlagsFromString('--semi-space-growth-factor=2');
    else keepNewObjectsSmall();
  };
  adjust();
  const collections = new PerformanceObserver(adjust);
  collections.observe({ entryTypes: ['gc'] });
  return () => {
    collections.disconnect();
  };
}
