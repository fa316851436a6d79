/** Decides what the checkout page shows for the state of its order. */
import { shortfall } from './money.ts';
import type { CheckoutMethod, CheckoutState } from './state.ts';

/**
 * What the page shows for an order, decided from its state alone:
 *
 * - `choose`: nothing was started; a method may be chosen and paid.
 * - `resume`: a payment page of the provider is open and can be opened again.
 * - `unresolved`: the provider's answer is not known; only the same attempt can go on.
 * - `processing`: the provider has accepted and will report (D-101).
 * - `attempt_ended`: the provider has confirmed that nothing was paid; the method stays locked (D-102).
 * - `checking`: the page cannot tell and asks for patience: review, mismatch, an unknown status.
 * - `paid`, `expired`, `refunded`, `chargeback`: the order's own status.
 */
export type Screen =
  | { kind: 'choose' }
  | { kind: 'no_method' }
  | { kind: 'resume' | 'unresolved' | 'processing' | 'attempt_ended' | 'review' | 'checking' }
  | { kind: 'paid'; late: boolean }
  | { kind: 'expired' | 'refunded' | 'chargeback' };

export type ScreenKind = Screen['kind'];

/** The screen of a state. Only what is known to be unpaid looks unpaid, and only what is paid looks paid. */
export function screenOf(state: Pick<CheckoutState, 'status' | 'attempt' | 'methods'>): Screen {
  switch (state.status) {
    case 'pending':
      return pendingScreen(state);
    case 'paid':
      return { kind: 'paid', late: state.attempt?.state === 'paid_late' };
    case 'review':
      return { kind: state.attempt?.state === 'processing' ? 'processing' : 'review' };
    case 'expired':
      // The provider has told the outcome of a debit, perhaps days after the deadline (D-1457).
      return { kind: state.attempt?.state === 'failed' ? 'attempt_ended' : 'expired' };
    case 'refunded':
    case 'chargeback':
      return { kind: state.status };
    default:
      return { kind: 'checking' };
  }
}

function pendingScreen({ attempt, methods }: Pick<CheckoutState, 'attempt' | 'methods'>): Screen {
  if (attempt === null) return { kind: methods.some(isSelectable) ? 'choose' : 'no_method' };
  switch (attempt.state) {
    case 'open':
      return { kind: 'resume' };
    case 'creating':
    case 'unknown':
      return { kind: 'unresolved' };
    case 'processing':
      return { kind: 'processing' };
    case 'failed':
    case 'closed':
    case 'absent':
      return { kind: 'attempt_ended' };
    default:
      return { kind: 'checking' };
  }
}

/** Whether the state is final for the page. */
export const isSettled = (kind: ScreenKind): boolean =>
  kind === 'paid' || kind === 'refunded' || kind === 'chargeback';

/** Whether the deadline still matters to the buyer. */
export const hasCountdown = (kind: ScreenKind): boolean =>
  kind === 'choose' || kind === 'no_method' || kind === 'resume' || kind === 'unresolved';

/** Reasons that the buyer can remove, by signing in or with another account. */
const removable = new Set(['login_required', 'insufficient_balance', 'self_payment_not_allowed']);

/** Whether a method can be previewed: it is usable, or the buyer can make it usable. */
export const isSelectable = (method: CheckoutMethod): boolean =>
  method.usable || removable.has(method.unusable_reason ?? '');

/** What keeps the buyer from paying by a method. */
export type Obstacle =
  | { kind: 'login_required' }
  | { kind: 'self_payment' }
  | { kind: 'insufficient_balance'; missing: string }
  | { kind: 'unavailable'; reason: string };

/**
 * The obstacle of a method for this buyer, or null if it can be paid now: no sign-in, the buyer's own
 * shop, too little PTK.
 */
export function obstacleOf(method: CheckoutMethod, buyer: CheckoutState['buyer']): Obstacle | null {
  if (method.login_required && buyer === null) return { kind: 'login_required' };
  const missing =
    method.provider === 'ptk' && buyer !== null
      ? shortfall(method.payment_amount, buyer.ptk_available)
      : null;
  if (!method.usable) {
    const reason = method.unusable_reason ?? 'channel_unavailable';
    if (reason === 'login_required') return { kind: 'login_required' };
    if (reason === 'self_payment_not_allowed') return { kind: 'self_payment' };
    // If the balance is enough by now, the server says so on the next try.
    if (reason === 'insufficient_balance') {
      return missing === null ? null : { kind: 'insufficient_balance', missing };
    }
    return { kind: 'unavailable', reason };
  }
  return missing === null ? null : { kind: 'insufficient_balance', missing };
}

/**
 * The method whose costs are shown: the attempt's if one was started, else the previewed one, else the first that this
 * buyer can pay by at once, else the only one. A preview starts and locks nothing.
 */
export function previewedMethod(
  state: Pick<CheckoutState, 'attempt' | 'methods'> & Partial<Pick<CheckoutState, 'buyer'>>,
  preview_method_id: string | null,
): CheckoutMethod | null {
  const byId = (id: string): CheckoutMethod | null =>
    state.methods.find((method) => method.method_id === id) ?? null;
  if (state.attempt !== null) return byId(state.attempt.method_id);
  const selectable = state.methods.filter(isSelectable);
  const previewed = selectable.find((method) => method.method_id === preview_method_id);
  if (previewed !== undefined) return previewed;
  const { buyer = null } = state;
  const ready = selectable.find((method) => obstacleOf(method, buyer) === null);
  if (ready !== undefined) return ready;
  return selectable.length === 1 ? (selectable[0] ?? null) : null;
}
