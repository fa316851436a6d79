/** What a panel edits of something that others may save as well. */
import { Alert } from '@mantine/core';
import { useState } from 'react';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * A draft of something stored. What is stored anew takes its place only while nothing was entered (D-1224).
 *
 * @returns `isOvertaken`: another person has stored something else since; `reset`: this draft is stored now
 */
export function useDraft<T>(stored: T) {
  const [{ base, draft }, set] = useState({ base: stored, draft: stored });
  if (!same(base, stored) && same(base, draft)) set({ base: stored, draft: stored });
  return {
    draft,
    setDraft: (next: T): void => set({ base, draft: next }),
    isOvertaken: !same(base, stored),
    reset: (): void => set((now) => ({ base: draft, draft: now.draft })),
  };
}

export const Overtaken = () => (
  <Alert color="orange" role="alert">
    {t('another_person_has_saved')}
  </Alert>
);
