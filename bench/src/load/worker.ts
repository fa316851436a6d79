/**
 * The process of the load generator: runs one plan, sends back the result, and ends. It also ends if its
 * parent ends.
 */
import { generate } from './generate.ts';
import type { LoadPlan } from './plan.ts';

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
