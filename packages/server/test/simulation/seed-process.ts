import { openOwnSimulation } from './own-simulation.ts';

/** A process of `npm run simulate` that runs the seeds that it is told, one after the other (several-processes.ts). */

// Whoever stops the run from the keyboard lets the seeds under way end.
process.on('SIGINT', () => undefined);
const opening = openOwnSimulation();
process.on('message', (told: { seed: number; steps: number } | 'end') => {
  if (told === 'end') end();
  else void opening.then(async (simulation) => process.send?.(await simulation.run(told.seed, told.steps)));
});
process.once('disconnect', end);

function end(): void {
  // Hanging work would keep the process alive.
  void opening.then((simulation) => simulation.close()).finally(() => process.exit());
}
