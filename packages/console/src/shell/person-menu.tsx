import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core';
import { IconBuildingStore, IconLogout, IconShieldLock, IconUserCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pageSettings } from '../api/page-settings.ts';
import { sessionQuery, signOut } from '../api/session.ts';
import { LanguageMenu } from './language-menu.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('core');

/** The menu of the signed-in person: their account, and the other console. */
export function PersonMenu() {
  const { data: person } = useQuery(sessionQuery);
  if (person === undefined) return null;
  const initials = person.name
    .split(/\s+/)
    .slice(0, 2)
    .map((part) => part.charAt(0))
    .join('')
    .toUpperCase();
  return (
    <Menu position="bottom-end" width={250} withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton aria-label={t('initials_account_of_name', { initials, name: person.name })}>
          <Avatar color="brand" radius="xl" size={34}>
            {initials}
          </Avatar>
        </UnstyledButton>
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
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          {t('sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
