/** Marks for a test payment: the provider charged no buyer (D-281). */
import { Badge, Group } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { textsOf } from '../../texts/texts.ts';
import { Status } from './status.tsx';

const t = textsOf('core');

export const TestMark = () => (
  <Badge
    color="violet"
    variant="light"
    radius="sm"
    tt="none"
    miw="max-content"
    leftSection={<IconFlask size={12} aria-hidden />}
  >
    {t('test')}
  </Badge>
);

/** A status, marked if it is that of a test. */
export function MarkedStatus({
  value,
  label,
  test,
}: {
  value: string;
  label?: string | undefined;
  test: boolean;
}) {
  const status = <Status value={value} label={label} />;
  if (!test) return status;
  return (
    <Group gap={6} wrap="nowrap">
      {status}
      <TestMark />
    </Group>
  );
}
