/** The threshold of four eyes: one person may lower it; raising it or switching it off is for two (D-897). */
import { invalid } from '../../base/errors.ts';
import { brandingJson, changeSettings, type Settings } from '../../base/settings/index.ts';
import { type GuardedWrite, reaches } from '../approvals/index.ts';
import type { AdminDeps } from '../request/deps.ts';

export const settingsJson = ({ branding, ...others }: Settings, { config }: Pick<AdminDeps, 'config'>) => ({
  ...others,
  branding: brandingJson(branding, config.public_url),
});

/** Whether some amount waits for a second person by the first threshold, and not by the second. */
const isRaised = (before: Settings, after: Settings): boolean => {
  const [from, to] = [BigInt(before.four_eyes_ptk), BigInt(after.four_eyes_ptk)];
  return from > 0n && !reaches(to, from);
};

/** @throws AppError if a change that one person makes at once would raise the threshold */
export function demandNotRaised(before: Settings, after: Settings): void {
  if (!isRaised(before, after)) return;
  throw invalid(
    'four_eyes_ptk',
    'Raise it or switch it off in a request without other members: another person must approve that.',
  );
}

export const thresholdWrite: GuardedWrite<{ four_eyes_ptk: string }> = {
  action: 'platform-settings.change',
  askedBy: ['admin'],
  subjectOf: ({ four_eyes_ptk }) => `four_eyes_ptk ${four_eyes_ptk}`,
  async run(deps, tx, { four_eyes_ptk }) {
    const { before, after } = await changeSettings(tx, { four_eyes_ptk });
    return {
      target: 'platform-settings',
      before: settingsJson(before, deps),
      after: settingsJson(after, deps),
      amount_ptk: null,
      is_for_two: isRaised(before, after),
    };
  },
};
