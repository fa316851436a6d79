import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { Hint } from '../components/values/hint.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('core');

/** Switches between light and dark; the browser remembers the choice. */
export function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  const label = other === 'dark' ? t('switch_to_dark_mode') : t('switch_to_light_mode');
  return (
    <Hint label={label}>
      <ActionIcon
        className="scheme-switch"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        onClick={() => setColorScheme(other)}
      >
        {scheme === 'dark' ? <IconSun size={18} /> : <IconMoon size={18} />}
      </ActionIcon>
    </Hint>
  );
}
