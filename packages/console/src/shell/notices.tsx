import { direction } from '../texts/language.ts';
import { useLater, useLoaded } from './later.ts';

const load = () => import('@mantine/notifications');

/** Where notices appear. It is loaded after the figures; what was said before appears with it. */
export function Notices() {
  const notices = useLoaded(load, useLater());
  return notices && <notices.Notifications position={direction === 'ltr' ? 'bottom-right' : 'bottom-left'} />;
}
