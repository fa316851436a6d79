/** Escape closes the uppermost of the dialogs and drawers that are open: each of Mantine's own closes by itself (D-333). */
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useState } from 'react';

/** The open layers, the uppermost last. */
const layers: object[] = [];

/** The keys that have closed something: what lies below must not follow. */
const used = new WeakSet<KeyboardEvent>();

export function useEscape(opened: boolean, close: () => void): void {
  const [layer] = useState(() => ({}));
  useEffect(() => {
    if (!opened) return undefined;
    layers.push(layer);
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, [opened, layer]);
  useWindowEvent(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.isComposing || used.has(event) || layers.at(-1) !== layer) return;
      // A menu or a list of choices that is open takes the key.
      const { target } = event;
      if (target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true')
        return;
      used.add(event);
      close();
    },
    { capture: true },
  );
}
