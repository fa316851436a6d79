import { generate } from './generate.ts';
import type { LoadPlan } from './plan.ts';

/*
 * The load generator's process: takes one plan, sends back its result, and ends. It does not outlive who started it.
 */
process.once('disconnect', () => process.exit(1));
process.once('message', (plan: LoadPlan) => {
  void generate(plan).then(
    (result) => {
      process.removeAllListeners('disconnect');
      process.send?.({ result }, () => {
        process.disconnect();
      });
    },
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
