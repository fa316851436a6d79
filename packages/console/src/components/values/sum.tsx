import { Fragment, type ReactNode } from 'react';

export interface SumPart {
  name: string;
  value: ReactNode;
  /** Stands before this part; the first part has none. */
  sign?: '+' | '−' | '=';
  /** The same amount in another currency. */
  also?: ReactNode;
}

/** Amounts that add up, as a sum in words: Gross − Fee = Net. */
export const Sum = ({ of, name }: { of: readonly SumPart[]; name: string }) => (
  <dl className="sum" aria-label={name}>
    {of.map((part) => (
      <Fragment key={part.name}>
        <div className={part.sign === '=' ? 'result' : undefined}>
          <dt>
            {part.sign !== undefined && <span className="sign">{part.sign} </span>}
            {part.name}
          </dt>
          <dd>
            {part.value}
            {part.also !== undefined && <div className="also">{part.also}</div>}
          </dd>
        </div>
      </Fragment>
    ))}
  </dl>
);
