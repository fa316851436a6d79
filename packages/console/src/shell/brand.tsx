import { Link } from '@tanstack/react-router';

/** The service's sign, with the name of the console. */
export function Brand({ side }: { side: string }) {
  return (
    <Link to="/console" className="brand" aria-label={`Paydesk, ${side}`}>
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#1f47c4" />
        <path
          d="M9 17l5 5 9-11"
          fill="none"
          stroke="#fff"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span>Paydesk</span>
    </Link>
  );
}
