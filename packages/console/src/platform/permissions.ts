/**
 * What each role of the platform may do. The screens follow this table, so that no person sees a button that the service would
 * refuse (D-500); the service decides by its own table, and a test compares the two.
 */
import type { PlatformRole } from '@paydesk/contract';

const doers = {
  administer: ['admin'],
  money: ['admin', 'finance'],
  cases: ['admin', 'finance', 'support'],
  replay: ['admin', 'support'],
  export: ['admin', 'finance', 'auditor'],
} as const satisfies Record<string, readonly PlatformRole[]>;

/** A group of writes that the same roles may make. */
export type Doing = keyof typeof doers;

export const mayDo = (role: string | undefined, doing: Doing): boolean =>
  (doers[doing] as readonly (string | undefined)[]).includes(role);
