/** What a screen shows while it loads, after a failure, and when there is nothing to show. */
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

interface LoadedProps<T> {
  of: Pick<UseQueryResult<T>, 'data' | 'error' | 'isPending' | 'refetch'>;
  /** The number of lines of the skeleton. */
  lines?: number;
  children: (data: T) => ReactNode;
}

/** Shows the data of a query: a skeleton until it is there, and the error with a button to retry after a failure. */
export function Loaded<T>({ of, lines = 4, children }: LoadedProps<T>) {
  const isThere = of.data !== undefined;
  // The first figures are drawn in slices, so that the page responds in between.
  const isDrawn = useDeferredValue(isThere);
  if (of.data !== undefined && isDrawn) return <>{children(of.data)}</>;
  if (of.isPending || isThere) return <Skeletons lines={lines} />;
  return <Failure error={of.error} retry={() => void of.refetch()} />;
}

export function Skeletons({ lines }: { lines: number }) {
  return (
    <Stack gap="sm" role="status" aria-label={t('loading')}>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} h={18} w={`${90 - ((line * 17) % 45)}%`} />
      ))}
    </Stack>
  );
}

export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t('loading_failed')} role="alert">
      <Group justify="space-between">
        <Text size="sm">{messageOf(error)}</Text>
        {retry !== undefined && (
          <Button size="xs" variant="default" onClick={retry}>
            {t('try_again')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

/** Stands for a list without entries: what it will hold, and the next action. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap={6} py="xl" px="md">
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text c="dimmed" size="sm" ta="center" maw={460} component="div">
          {children}
        </Text>
      )}
    </Stack>
  );
}
