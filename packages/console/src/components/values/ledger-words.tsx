/** The words of postings and accounts, by their codes (D-495). What this console does not know stays as the service wrote it. */
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { textsOf } from '../../texts/texts.ts';
import { TestMark } from './test-mark.tsx';

const t = textsOf('ledger');

/** `P1` stands for any key without a placeholder. */
function textOf(code: string, otherwise: string): string {
  const text = t(code as 'P1');
  return text === code ? otherwise : text;
}

interface Words {
  what: string;
  what_code: string | null;
}

export const whatOf = ({ what_code, what }: Words): string => textOf(what_code ?? '', what);

/** What an account holds, by its name: its kind (`m:available`), or its kind and what it belongs to (`m:held:mp_…`). */
export function accountOf(name: string, otherwise: string): string {
  const [first = '', second = ''] = name.split(':', 2);
  return textOf(`${first}:${second}`, textOf(first, otherwise));
}

export const totalOf = (total: string, otherwise: string): string => textOf(`total_${total}`, otherwise);

/** What a transfer does, and below it why the money moved. */
export const TransferWords = ({
  what,
  ...of
}: {
  what: ReactNode;
  posting: string;
  why: string;
  test_mode: boolean;
}) => (
  <>
    <Group gap={6}>
      <Text size="sm" fw={600}>
        {what}
      </Text>
      {of.test_mode && <TestMark />}
    </Group>
    <Text size="xs" c="dimmed">
      {textOf(of.posting, of.why)}
    </Text>
  </>
);
