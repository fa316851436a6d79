/** The frame around every screen. */
import { AppShell, Burger, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useEscape } from '../components/dialog/use-escape.ts';
import { Brand } from './brand.tsx';
import { PersonMenu } from './person-menu.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('core');

interface FrameProps {
  /** The name of the console. */
  side: string;
  /** In the header: what the console is about. */
  head?: ReactNode;
  /** The same above every screen, where the header has no room for it (D-753). */
  choice?: ReactNode;
  navigation: ReactNode;
}

/**
 * Header, navigation and the screen. The first stop of the keyboard skips both (D-557). On a phone a button opens the
 * navigation; while it is shut, it is nowhere, and it shuts when the keyboard leaves it for what it covers (D-1309).
 */
export function Frame({ side, head, choice, navigation }: FrameProps) {
  const [opened, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [path, close]);
  const burger = useRef<HTMLButtonElement>(null);
  useEscape(opened, () => {
    close();
    burger.current?.focus();
  });
  return (
    <AppShell
      header={{ height: 58 }}
      navbar={{ width: 248, breakpoint: 'md', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a className="skip" href="#content">
        {t('skip_to_content')}
      </a>
      <AppShell.Header px="md" bg="var(--paydesk-card)">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              ref={burger}
              opened={opened}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-expanded={opened}
              aria-label={opened ? t('close_navigation') : t('open_navigation')}
            />
            <Brand side={side} />
          </Group>
          <Group gap="xs" wrap="nowrap" miw={0}>
            {head}
            <SchemeSwitch />
            <PersonMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" bg="var(--paydesk-card)" aria-label={side} data-shut={!opened || undefined}>
        <AppShell.Section grow className="menu-scroll">
          <Stack gap={2}>{navigation}</Stack>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} onFocus={close}>
        {choice && <div className="above-screen">{choice}</div>}
        <Outlet />
        {/* Menus and lists of choices that open above the page are rendered here: elsewhere they are in no landmark (D-559). */}
        <div data-mantine-shared-portal-node data-portal />
      </AppShell.Main>
    </AppShell>
  );
}

/** A heading between groups of the navigation. */
export const MenuHeading = ({ children }: { children: string }) => (
  <Text className="menu-heading" size="xs" fw={600} c="dimmed" px="sm">
    {children}
  </Text>
);
