/**
 * `checkouts`: orders created and read and PTK payments per second by the service of this checkout, against that of the checkout
 * which `--against` names. Both run all the time and are measured in turn, so that a change of a tenth can be seen (D-647).
 */
import type { Bench } from '../bench.ts';
import type { Figure } from '../figures.ts';
import { comparePaths } from './in-turn.ts';

export async function benchCheckouts(bench: Bench): Promise<Figure[]> {
  const other = await bench.ofOtherCheckout();
  if (other === null) return [];
  return comparePaths([bench, other], {
    name: 'checkouts',
    where: 'by this checkout',
    reference: 'the other checkout, in turn',
  });
}
