/** Steps to take in order, each with a mark once it is done. */
import { Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

export interface ListedStep {
  step: string;
  done: boolean;
  /** The step in words. */
  what: string;
  /** The link to the screen where it is done; shown until then. */
  link: ReactNode;
  /** Why it is needed, or what it lacks; shown until it is done. */
  note?: ReactNode;
}

export const StepList = ({ steps }: { steps: readonly ListedStep[] }) => (
  <Stack gap="sm" role="list">
    {steps.map(({ step, done, what, link, note }) => (
      <Group key={step} gap="sm" wrap="nowrap" align="flex-start" role="listitem">
        <ThemeIcon
          size={24}
          radius="xl"
          color={done ? 'teal' : 'gray'}
          variant={done ? 'filled' : 'outline'}
          aria-hidden
        >
          {done && <IconCheck size={15} />}
        </ThemeIcon>
        <Stack gap={2} miw={0}>
          {done ? (
            <Text size="sm" c="dimmed">
              {t('what_done', { what })}
            </Text>
          ) : (
            link
          )}
          {!done && note !== undefined && (
            <Text size="sm" c="dimmed" className="wrap">
              {note}
            </Text>
          )}
        </Stack>
      </Group>
    ))}
  </Stack>
);
