import { Group, Paper, Skeleton, Text, ThemeIcon } from '@mantine/core';
import type { ReactNode } from 'react';

interface StatProps {
  name: string;
  value: ReactNode;
  /** A sentence below the number. */
  note?: ReactNode;
  icon?: ReactNode;
  /** Whether the number asks for attention. */
  tone?: 'calm' | 'alarm' | 'warn';
  loading?: boolean;
}

const toneColors = { calm: 'brand', warn: 'orange', alarm: 'red' } as const;

/** Numbers side by side: as many as have room for their words, also at 200 % text (D-692). */
export const Stats = ({ small = false, children }: { small?: boolean; children: ReactNode }) => (
  <div className={small ? 'stats small' : 'stats'}>{children}</div>
);

/** One number and its name. */
export function Stat({ name, value, note, icon, tone = 'calm', loading = false }: StatProps) {
  return (
    <Paper className="panel" p="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" c="dimmed" fw={500}>
          {name}
        </Text>
        {icon !== undefined && (
          <ThemeIcon variant="light" color={toneColors[tone]} size="md" aria-hidden>
            {icon}
          </ThemeIcon>
        )}
      </Group>
      {loading ? (
        <Skeleton h={28} mt={8} w="70%" />
      ) : (
        <Text fz={{ base: 20, xl: 22 }} fw={650} mt={4} lh={1.25} component="div" className="wrap">
          {value}
        </Text>
      )}
      {note !== undefined && !loading && (
        <Text size="sm" c="dimmed" mt={2} component="div">
          {note}
        </Text>
      )}
    </Paper>
  );
}
