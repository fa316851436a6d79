/** The faults that are armed, and how calls use them up. */
export const fault_endpoints = [
  'sessions.create',
  'sessions.retrieve',
  'sessions.list',
  'sessions.expire',
  'refunds.create',
  'refunds.retrieve',
  'refunds.list',
  'payment_intents.retrieve',
  'disputes.retrieve',
  'disputes.update',
  'files.create',
  'events.list',
] as const;
export type FaultEndpoint = (typeof fault_endpoints)[number];

/** How a call fails. `…_before` fails it before it is carried out, `…_after` after that (D-351). */
export const fault_modes = [
  'status',
  'hang_before',
  'hang_after',
  'reset_before',
  'reset_after',
  'truncate',
  'delay',
  'amount',
  'currency',
  'pending',
] as const;
export type FaultMode = (typeof fault_modes)[number];

/** The fault of one call. */
export type Fault =
  | { mode: 'status'; status: number; body: unknown; processed: boolean }
  | { mode: 'delay'; delay_ms: number }
  | { mode: 'amount'; amount_total: bigint }
  | { mode: 'currency'; currency: string }
  | { mode: 'hang_before' | 'hang_after' | 'reset_before' | 'reset_after' | 'truncate' | 'pending' };

/** A fault for the next `times` calls of an endpoint, by one account or by any account. */
export type ArmedFault = {
  id: string;
  endpoint: FaultEndpoint;
  account: string | null;
  times: number;
  fault: Fault;
};

export type Faults = {
  arm: (fault: ArmedFault) => void;
  clear: () => void;
  /** Returns the oldest fault that is armed for this call, and uses it up. */
  take: (endpoint: FaultEndpoint, account: string) => Fault | undefined;
  items: () => ArmedFault[];
};

export function createFaults(): Faults {
  let armed: ArmedFault[] = [];
  return {
    arm: (fault) => {
      armed.push({ ...fault });
    },
    clear: () => {
      armed = [];
    },
    take: (endpoint, account) => {
      const found = armed.find(
        (item) => item.endpoint === endpoint && (item.account === null || item.account === account),
      );
      if (found === undefined) return undefined;
      found.times -= 1;
      if (found.times === 0) armed = armed.filter((item) => item !== found);
      return found.fault;
    },
    items: () => armed,
  };
}
