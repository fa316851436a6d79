/** The menu of the signed-in person: their account, and the other console. */
import { Menu, Text } from '@mantine/core';
import { IconBuildingStore, IconLogout, IconShieldLock, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { messageOf } from '../api/api-error.ts';
import { pageSettings } from '../api/page-settings.ts';
import { signOut } from '../api/session.ts';
import { notice } from '../components/dialog/notice.ts';
import { LanguageMenu } from './language-menu.tsx';
import { PersonButton } from './person-menu.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('core');

/** Who could not be signed out must not believe that they are. */
function leave(): void {
  signOut().catch((error: unknown) => notice({ color: 'red', message: messageOf(error) }));
}

interface PersonMenuListProps {
  person: Readonly<Record<'name' | 'email' | 'role', string>>;
  /** Whether the person has opened it already. */
  opened: boolean;
  /** Whether the button in its place has the focus. */
  focused: boolean;
}

export function PersonMenuList({ person, opened, focused }: PersonMenuListProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (focused) button.current?.focus();
  }, [focused]);
  return (
    <Menu
      position="bottom-end"
      width={250}
      withinPortal
      withInitialFocusPlaceholder={false}
      defaultOpened={opened}
    >
      <Menu.Target>
        <PersonButton ref={button} name={person.name} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" className="wrap">
            {person.name}
          </Text>
          <Text size="xs" className="wrap">
            {person.email}
          </Text>
        </Menu.Label>
        <Menu.Item
          component="a"
          href={`${pageSettings.base_path}/account`}
          leftSection={<IconUserCircle size={16} />}
        >
          {t('account_and_security')}
        </Menu.Item>
        <Menu.Item component={Link} to="/console" leftSection={<IconBuildingStore size={16} />}>
          {t('your_merchants')}
        </Menu.Item>
        {person.role !== 'user' && (
          <Menu.Item component={Link} to="/platform" leftSection={<IconShieldLock size={16} />}>
            {t('platform_administration')}
          </Menu.Item>
        )}
        <LanguageMenu />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={leave}>
          {t('sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
