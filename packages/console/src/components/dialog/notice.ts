/** Says in a corner of the page what has happened. */
import { notifications } from '@mantine/notifications';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

interface Notice {
  color: 'teal' | 'orange' | 'red';
  title?: string;
  message: string;
}

/** Shows a notice. A notice of a failure stays until it is closed, so that there is time to read it (D-521). */
export function notice(of: Notice): void {
  const staying = of.color === 'red' ? { autoClose: false } : {};
  notifications.show({ closeButtonProps: { 'aria-label': t('close') }, ...staying, ...of });
}
