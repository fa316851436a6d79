/** A named administration key: its data, and whether it is valid. */
import type { PlatformRole } from '@paydesk/contract';
import { isInRanges } from '../../base/input/caller-ranges.ts';

export interface AdminKey {
  key_id: string;
  name: string;
  role: PlatformRole;
  /** Ranges in CIDR notation from which the key may call; empty: from anywhere. */
  allowed_cidrs: string[];
  /** The person who made the key, also through another key; or the key of the environment. */
  owner: string;
  created_by: string;
  created_at: Date;
  expires_at: Date;
  /** Written at most once a minute. */
  last_used_at: Date | null;
  revoked_at: Date | null;
  revoked_by: string | null;
  revoke_reason: string | null;
}

/**
 * The actor of the environment's key in the audit log. The key is for the first steps of an installation: it names no
 * person, does not end, and can only be changed with a restart.
 */
export const environmentActor = 'environment key (bootstrap)';

/** The actor of a named key in the audit log. */
export const keyActor = ({ key_id }: Pick<AdminKey, 'key_id'>): string => `key:${key_id}`;

export type KeyStatus = 'active' | 'expired' | 'revoked';

/** @param now real time */
export function statusOfKey({ revoked_at, expires_at }: AdminKey, now: Date): KeyStatus {
  if (revoked_at !== null) return 'revoked';
  return expires_at <= now ? 'expired' : 'active';
}

/** Whether a key may call now, from this address. */
export const isUsable = (key: AdminKey, address: string, now: Date): boolean =>
  statusOfKey(key, now) === 'active' && isInRanges(key.allowed_cidrs, address);
