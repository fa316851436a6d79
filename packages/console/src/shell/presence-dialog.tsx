/** Asks a person to confirm a dangerous change. The dialog is loaded with the first question. */
import { useEffect, useState } from 'react';
import { setPresenceQuestion } from '../api/presence.ts';
import { useLoaded } from './load-later.ts';

type Answer = (proved: boolean) => void;

const load = () => import('./presence-proof.tsx');

export function PresenceDialog() {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    const ask = (): Promise<boolean> => new Promise((resolve) => setAnswer(() => resolve));
    // Where the dialog cannot be loaded, nobody answers: the change is refused.
    setPresenceQuestion(() => load().then(ask, () => false));
  }, []);
  const close: Answer = (proved) => {
    answer?.(proved);
    setAnswer(null);
  };
  const proof = useLoaded(load, answer !== null);
  return proof && <proof.PresenceProof opened={answer !== null} close={close} />;
}
