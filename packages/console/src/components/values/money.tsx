/** Amounts as the consoles show them. */
import { IconArrowsLeftRight } from '@tabler/icons-react';
import { decimalOf, ptkDecimals, trimmed } from '../../money/money.ts';
import { decimalText, signedText } from '../../texts/format.ts';
import { Hint } from './hint.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

interface AmountProps {
  /** A decimal text, as the service writes it. */
  amount: string;
  currency: string;
}

/** An amount at its currency's own precision, as the service wrote it. */
export function Amount({ amount, currency }: AmountProps) {
  if (currency === 'PTK') return <Trimmed decimal={amount} />;
  return (
    <span className="number">
      {decimalText(amount)} <span className="unit">{currency}</span>
    </span>
  );
}

/** An amount of PTK, given in its minor unit, the eighth decimal: members whose names end in `_ptk`. */
export const Ptk = ({ minor }: { minor: string }) => (
  <Trimmed decimal={decimalOf(BigInt(minor), ptkDecimals)} />
);

interface TrimmedProps {
  /** With all eight decimals. */
  decimal: string;
  write?: (decimal: string) => string;
}

/** An amount of PTK without zeros at its end, but for two decimals. Pointer and keyboard show all of them (D-283). */
function Trimmed({ decimal, write = decimalText }: TrimmedProps) {
  const short = trimmed(decimal);
  const text = (
    <span className="number" {...(short === decimal ? {} : { tabIndex: 0 })}>
      {write(short)} <span className="unit">PTK</span>
    </span>
  );
  if (short === decimal) return text;
  return (
    <Hint label={`${write(decimal)} PTK`} delay_ms={150} always>
      {text}
    </Hint>
  );
}

interface ChangeProps {
  /** By how much a balance changes, in the eighth decimal, with a minus if it falls. */
  change: string;
  /** The amount that moved between accounts of the same owner, if the balance does not change. */
  moved?: string;
}

/** A change of a balance, with a sign and a colour: what came in and what went out never look alike (D-282). */
export function Change({ change, moved }: ChangeProps) {
  const minor = BigInt(change);
  if (minor === 0n && moved !== undefined) {
    const amount = decimalText(trimmed(decimalOf(BigInt(moved), ptkDecimals)));
    return (
      <span className="moved">
        <IconArrowsLeftRight size={13} role="img" aria-label={t('moved_between_accounts', { amount })} />{' '}
        <Ptk minor={moved} />
      </span>
    );
  }
  return (
    <span className={minor > 0n ? 'incoming' : minor < 0n ? 'outgoing' : undefined}>
      <Trimmed decimal={decimalOf(minor, ptkDecimals)} write={signedText} />
    </span>
  );
}
