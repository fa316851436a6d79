/** Amounts as the consoles show them. */
import { grouped, ptkText } from '../../money/money.ts';

interface AmountProps {
  /** A decimal text, as the service writes it. */
  amount: string;
  currency: string;
}

/** An amount at its currency's own precision, as the service wrote it. */
export function Amount({ amount, currency }: AmountProps) {
  return (
    <span className="number">
      {grouped(currency === 'PTK' ? amount.replace(/(\.\d\d\d*?)0+$/, '$1') : amount)}
      <span className="unit">{currency}</span>
    </span>
  );
}

/** An amount of PTK, given in its minor unit, the eighth decimal: members whose names end in `_ptk`. */
export function Ptk({ minor }: { minor: string }) {
  return (
    <span className="number">
      {ptkText(BigInt(minor))}
      <span className="unit">PTK</span>
    </span>
  );
}
