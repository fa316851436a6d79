/** Offers to reload a page of which a part is gone, as after an upgrade that has replaced its files (D-1130). */
import { Alert, Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('core');

export function ReloadOffer() {
  const [isShown, setShown] = useState(false);
  const offer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const show = (): void => setShown(true);
    window.addEventListener('vite:preloadError', show);
    return () => window.removeEventListener('vite:preloadError', show);
  }, []);
  // The keyboard does not leave a dialog for what lies above it: the offer takes it, and gives it back.
  useEffect(() => {
    const before = document.activeElement;
    const dialog = document.querySelector<HTMLElement>('[aria-modal=true]');
    if (!isShown || dialog === null) return undefined;
    offer.current?.focus();
    return () => (before instanceof HTMLElement && dialog.contains(before) ? before : dialog).focus();
  }, [isShown]);
  if (!isShown) return null;
  return (
    <Alert
      ref={offer}
      tabIndex={-1}
      className="reload-offer"
      role="alert"
      variant="filled"
      title={t('reload_this_page')}
      withCloseButton
      closeButtonLabel={t('close')}
      onClose={() => setShown(false)}
    >
      <Group justify="space-between">
        <Text size="sm">{t('a_part_of_it_could_not')}</Text>
        <Button size="xs" variant="white" onClick={() => window.location.reload()}>
          {t('reload')}
        </Button>
      </Group>
    </Alert>
  );
}
