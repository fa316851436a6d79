import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core';
import { IconBuildingStore, IconLogout, IconShieldLock, IconUserCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pageSettings } from '../api/page-settings.ts';
import { sessionQuery, signOut } from '../api/session.ts';

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
    <Menu position="bottom-end" width={250} withinPortal>
      <Menu.Target>
        <UnstyledButton aria-label={`${initials}: account of ${person.name}`}>
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
          Your account and security
        </Menu.Item>
        <Menu.Item component={Link} to="/console" leftSection={<IconBuildingStore size={16} />}>
          Your merchants
        </Menu.Item>
        {person.role !== 'user' && (
          <Menu.Item component={Link} to="/platform" leftSection={<IconShieldLock size={16} />}>
            Platform administration
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
