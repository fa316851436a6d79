/** How far the orders of a range came, step by step. */
import { Progress, Text } from '@mantine/core';
import type { Sales } from '../../api/merchants.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { numberText, percentText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('sales');

type Step = keyof Sales['period']['orders'];

const steps: readonly (readonly [Step, string])[] = [
  ['created', t('created')],
  ['opened', t('checkout_opened')],
  ['method_chosen', t('method_chosen')],
  ['started', t('payment_started')],
  ['paid', t('paid')],
];

/** Each step leads to its orders in the list. */
export function Funnel({ period, merchant_no }: { period: Sales['period']; merchant_no: string }) {
  const { from, until, orders } = period;
  if (orders.created === 0) return null;
  return (
    <Panel title={t('from_order_to_payment')} about={t('steps_about')}>
      <ol className="funnel">
        {steps.map(([step, name]) => {
          const share = orders[step] / orders.created;
          return (
            <li key={step}>
              <AppLink
                to="/console/merchants/$merchant_no/orders"
                params={{ merchant_no }}
                search={{ from, until, mode: 'live', ...(step === 'created' ? {} : { reached: step }) }}
                size="sm"
              >
                {name}
              </AppLink>
              <Progress value={100 * share} aria-hidden />
              <Text size="sm" fw={600} className="number">
                {numberText(orders[step])}
              </Text>
              <Text size="sm" c="dimmed" className="number">
                {percentText(String(share))}
              </Text>
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
