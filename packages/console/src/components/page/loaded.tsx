import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconMoodEmpty } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../../api/api-error.ts';

interface LoadedProps<T> {
  of: Pick<UseQueryResult<T>, 'data' | 'error' | 'isPending' | 'refetch'>;
  /** How many lines the skeleton has. */
  lines?: number;
  children: (data: T) => ReactNode;
}

/** What a query has read; a skeleton until then, and what went wrong with a way to try again. */
export function Loaded<T>({ of, lines = 4, children }: LoadedProps<T>) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.isPending) return <Skeletons lines={lines} />;
  return <Failure error={of.error} retry={() => void of.refetch()} />;
}

export function Skeletons({ lines }: { lines: number }) {
  return (
    <Stack gap="sm" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} h={18} w={`${90 - ((line * 17) % 45)}%`} />
      ))}
    </Stack>
  );
}

export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title="This could not be loaded" role="alert">
      <Group justify="space-between">
        <Text size="sm">{messageOf(error)}</Text>
        {retry !== undefined && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}

/** A list without entries: why, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap={6} py="xl" px="md">
      <IconMoodEmpty size={30} stroke={1.4} color="var(--paydesk-soft)" aria-hidden />
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text c="dimmed" size="sm" ta="center" maw={460} component="div">
          {children}
        </Text>
      )}
    </Stack>
  );
}
