import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { pageSettings } from '../../api/page-settings.ts';
import { arriveAt } from './arrival.ts';
import { useScreen } from '../../shell/load-later.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

interface PageProps {
  title: string;
  about?: ReactNode;
  /** The link to the screen above, over the title. */
  above?: ReactNode;
  /** Beside the title: a status. */
  beside?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen: its title, which the tab shows as well, its actions and its parts. A link to it leads to its title (D-1312). */
export function Page({ title, about, above, beside, actions, children }: PageProps) {
  useScreen();
  useEffect(() => {
    document.title = t('title_name', { title, name: pageSettings.brand.name });
  }, [title]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => arriveAt(heading.current), [title]);
  return (
    <Stack gap="lg" className="main">
      <div>
        {above !== undefined && (
          <Text size="sm" mb={4} component="div">
            {above}
          </Text>
        )}
        <Group justify="space-between" align="flex-start" gap="sm">
          <div>
            <Group gap="sm">
              <Title order={1} size="h2" className="wrap" tabIndex={-1} ref={heading}>
                {title}
              </Title>
              {beside}
            </Group>
            {about !== undefined && (
              <Text c="dimmed" mt={4} maw={760} component="div">
                {about}
              </Text>
            )}
          </div>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
      </div>
      {children}
    </Stack>
  );
}
