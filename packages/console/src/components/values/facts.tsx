import { Fragment, type ReactNode } from 'react';

/** A list of names and values. Entries whose value is undefined are left out. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {of
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value ?? '–'}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
