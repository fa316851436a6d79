/** The line drawings of the pages. */
const paths = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  clock: 'M12 7v5l3.5 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  info: 'M12 11v5M12 8v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  back: 'M9 7l-5 5 5 5M4 12h11a5 5 0 0 1 5 5v1',
  copy: 'M9 9h10v11H9zM15 9V5H5v10h4',
  card: 'M3 6h18v12H3zM3 10h18M7 15h3',
  coin: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM10 16.5v-9h2.7a2.6 2.6 0 0 1 0 5.2H10',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  phone: 'M8 3h8v18H8zM11 18h2',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
} as const;

export type IconName = keyof typeof paths;

/** A small line drawing beside a text that says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
