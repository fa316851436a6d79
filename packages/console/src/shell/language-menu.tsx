import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLanguage } from '@tabler/icons-react';
import { addressIn, language, languages } from '../texts/language.ts';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('core');

/**
 * The languages, as a part of a menu that unfolds. Each is named in itself, for people who cannot read the present one.
 */
export function LanguageMenu() {
  const [opened, { toggle }] = useDisclosure(false);
  const mark = <IconLanguage size={16} />;
  return (
    <>
      <Menu.Item leftSection={mark} closeMenuOnClick={false} onClick={toggle} aria-expanded={opened}>
        {t('language')}
      </Menu.Item>
      {opened &&
        languages.map(([tag, name]) => (
          <Menu.Item
            key={tag}
            component="a"
            href={addressIn(tag)}
            lang={tag}
            ps={40}
            aria-current={tag === language ? 'true' : undefined}
            fw={tag === language ? 650 : undefined}
          >
            {name}
          </Menu.Item>
        ))}
    </>
  );
}
