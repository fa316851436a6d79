import { direction } from '../texts/language.ts';
import { useLater, useLoaded } from './load-later.ts';

const load = () => import('@mantine/notifications');

/** The place where notices appear. It is loaded after the figures; earlier notices then appear too. */
export function Notices() {
  const notices = useLoaded(load, useLater());
  return notices && <notices.Notifications position={direction === 'ltr' ? 'bottom-right' : 'bottom-left'} />;
}
