/** The list of all benchmarks. */
import type { Bench } from '../bench.ts';
import type { Figure } from '../figures.ts';
import { benchCheckout } from './checkout.ts';
import { benchCheckouts } from './checkouts.ts';
import { benchCluster } from './cluster.ts';
import { benchConsole } from './console.ts';
import { benchCreate } from './create.ts';
import { benchBacklog, benchDeliver, benchFairness, benchFirstAttempt } from './deliver.ts';
import { benchGrowth } from './growth/growth.ts';
import { benchProcesses } from './processes.ts';
import { benchProducts } from './products.ts';
import { benchPtk } from './ptk.ts';
import { benchRead } from './read.ts';
import { benchRoute } from './route.ts';
import { benchStart } from './start.ts';
import { benchSweep } from './sweep.ts';
import { benchToken } from './token.ts';
import { benchVerify } from './verify.ts';
import { benchWebhook } from './webhook.ts';

/** One benchmark. It asks the bench for everything it needs. */
export interface Benchmark {
  run: (bench: Bench) => Promise<Figure[]>;
  /** Whether it measures the service, so that the memory of the service is measured too. */
  of_service: boolean;
}

/** All benchmarks by their names for `--only`, in the order in which they run. */
export const benchmarks: Readonly<Record<string, Benchmark>> = {
  route: { run: benchRoute, of_service: false },
  create: { run: benchCreate, of_service: true },
  read: { run: benchRead, of_service: true },
  token: { run: benchToken, of_service: true },
  products: { run: benchProducts, of_service: true },
  ptk: { run: benchPtk, of_service: true },
  deliver: { run: benchDeliver, of_service: true },
  'first-attempt': { run: benchFirstAttempt, of_service: true },
  fairness: { run: benchFairness, of_service: true },
  backlog: { run: benchBacklog, of_service: true },
  checkout: { run: benchCheckout, of_service: true },
  console: { run: benchConsole, of_service: true },
  sweep: { run: benchSweep, of_service: false },
  webhook: { run: benchWebhook, of_service: true },
  processes: { run: benchProcesses, of_service: false },
  start: { run: benchStart, of_service: false },
  cluster: { run: benchCluster, of_service: false },
  checkouts: { run: benchCheckouts, of_service: false },
  verify: { run: benchVerify, of_service: false },
  growth: { run: benchGrowth, of_service: false },
};
