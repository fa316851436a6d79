import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PanelProps {
  title: string;
  /** One sentence about the contents. */
  about?: ReactNode;
  /** Buttons at the end of the heading. */
  actions?: ReactNode;
  /** Whether it holds what a person has entered and not yet sent. */
  unsent?: boolean;
  children: ReactNode;
}

/** A part of a page under a heading of its own. */
export function Panel({ title, about, actions, unsent = false, children }: PanelProps) {
  return (
    <section className="panel" data-unsent={unsent || undefined}>
      <Group className="panel-head" justify="space-between" align="flex-start" gap="sm">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          {about !== undefined && (
            <Text c="dimmed" size="sm" mt={2} maw={680}>
              {about}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      <div className="panel-body">{children}</div>
    </section>
  );
}
