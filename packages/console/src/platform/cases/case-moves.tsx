/** The kinds of cases and the ways to resolve them, in words. */
import type { PaymentCase } from '../../api/admin.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Status } from '../../components/values/status.tsx';

type Kind = PaymentCase['kind'];
export type CaseMove = 'accept' | 'adopt' | 'refund' | 'void' | 'absent' | 'close';

/** The name of each kind of case, and what it is about, for the person who decides. */
export const kindWords: Record<Kind, readonly [name: string, about: string]> = {
  mismatch: ['Mismatch', 'What the provider has is not what was asked for.'],
  duplicate_payment: ['Second payment', 'The order was paid already, and was paid again.'],
  unknown_creation: [
    'Unknown session',
    'The provider has not said whether it made a payment page for this order.',
  ],
  unmatched_receipt: ['Unmatched receipt', 'Money came that belongs to no known attempt.'],
  partial_refund: ['Partial refund', 'Another amount than was paid has gone back at the provider.'],
  unfulfillable: ['Cannot be fulfilled', 'A payment came for something that cannot be delivered any more.'],
};

/** The label of each resolution, and its consequences. */
export const moveWords: Record<CaseMove, readonly [label: string, consequences: readonly string[]]> = {
  accept: [
    'Accept as payment',
    ['The order is paid out of what came.', 'What came beyond its total stays in suspense.'],
  ],
  adopt: [
    'Adopt as payment',
    [
      'The order that the payment names becomes paid, even if it has expired.',
      'The merchant is credited and notified as for any payment.',
    ],
  ],
  refund: [
    'Refund',
    [
      'All that came goes back to the buyer at the provider.',
      'The case stays open until the provider confirms it.',
    ],
  ],
  void: [
    'Void the session',
    [
      'The provider is asked to close the payment page.',
      'It has to confirm that the page is closed and unpaid.',
    ],
  ],
  absent: ['Nothing was made', ['You have asked the provider: there is no session.', 'The order expires.']],
  close: ['Close', ['Nothing is done.', 'Refused while money of the case stands in suspense.']],
};

export const CaseLink = ({ of }: { of: PaymentCase }) => (
  <AppLink to="/platform/cases" search={{ case_id: of.case_id }}>
    {kindWords[of.kind][0]} <Status value={of.state} />
  </AppLink>
);
