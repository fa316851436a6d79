import type { Home } from '../../api/merchants.ts';
import { Amount } from '../values/money.tsx';

/** Amounts by currency, one line for each, because different currencies do not add up. */
export const Volume = ({ of }: { of: Home['volume']['today'] }) =>
  of.length === 0 ? (
    <>–</>
  ) : (
    <>
      {of.map(({ currency, amount }) => (
        <div key={currency}>
          <Amount amount={amount} currency={currency} />
        </div>
      ))}
    </>
  );
