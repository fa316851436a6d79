import { Link, useRouterState } from '@tanstack/react-router';
import { pageSettings } from '../api/page-settings.ts';

/** The platform's sign, with the name of the console. It leads to the start of the console that is open (D-557). */
export function Brand({ side }: { side: string }) {
  const { name, logo } = pageSettings.brand;
  const isPlatform = useRouterState({ select: ({ location }) => location.pathname.startsWith('/platform') });
  return (
    <Link
      to={isPlatform ? '/platform' : '/console'}
      className={isPlatform ? 'brand' : 'brand beside-choice'}
      aria-label={`${name}, ${side}`}
    >
      {logo === '' ? <Sign /> : <img src={logo} alt="" height="26" className="brand-logo" />}
      <span>{name}</span>
    </Link>
  );
}

const Sign = () => (
  <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="var(--mantine-color-brand-6)" />
    <path
      d="M9 17l5 5 9-11"
      fill="none"
      stroke="#fff"
      strokeWidth="3"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);
