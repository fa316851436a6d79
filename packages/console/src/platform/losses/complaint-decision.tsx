import { Group } from '@mantine/core';
import { adminCall, type Complaint } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { optional, reasonField, textOf } from '../../components/dialog/fields.ts';
import { words } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-orders');

/** Dismisses or accepts an open complaint, with what each means for the money; after that, when it was decided. */
export function ComplaintDecision({ complaint }: { complaint: Complaint }) {
  const { complaint_id, status, currency, decided_at, source } = complaint;
  if (status !== 'open') return <Time at={decided_at} />;
  const isPtk = currency === 'PTK';
  const decide = (body: Record<string, unknown>) =>
    adminCall<Complaint>('POST', `/complaints/${part(complaint_id)}/decision`, { body });
  return (
    <Group gap={6} wrap="nowrap">
      <PlatformAction
        allows="money"
        label={t('dismiss')}
        size="xs"
        title={t('dismiss_the_dispute')}
        confirm={t('dismiss')}
        fields={[reasonField]}
        consequences={() => [t('the_frozen_amount_is_released')]}
        submit={(values) => decide({ decision: 'dismiss', reason: textOf(values, 'reason') })}
        done={() => t('dismissed')}
      />
      <PlatformAction
        allows="money"
        label={t('accept')}
        size="xs"
        color="red"
        title={t('accept_the_dispute')}
        confirm={t('confirm_loss')}
        danger
        fields={[
          {
            name: 'loss_amount',
            label: t('loss'),
            unit: currency,
            about: t('leave_empty_for_the_full_remaining'),
            kind: 'amount',
          },
          ...(isPtk
            ? []
            : [
                {
                  name: 'external_cost',
                  label: t('external_costs'),
                  about: t('what_the_provider_charges_for_the'),
                  unit: currency,
                  kind: 'amount',
                } as const,
              ]),
          reasonField,
        ]}
        consequences={() => [
          t('the_loss_is_deducted_from_the'),
          // A loss is booked as what the buyer's bank has taken back; only a wallet is paid by it (D-982).
          source === 'provider'
            ? t('the_provider_has_already_refunded_the')
            : isPtk
              ? t('the_buyer_gets_the_loss_as_ptk')
              : t('the_buyer_gets_no_money_by_this'),
          t('this_cannot_be_undone'),
        ]}
        submit={(values) =>
          decide({
            decision: 'confirm',
            reason: textOf(values, 'reason'),
            ...optional(values, 'loss_amount'),
            ...optional(values, 'external_cost'),
          })
        }
        done={({ status: outcome }) => `${words(outcome)}.`}
      />
    </Group>
  );
}
