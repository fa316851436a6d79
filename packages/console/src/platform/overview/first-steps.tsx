/** What a new platform still needs before a buyer can pay. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { adminQuery, type FirstSteps as Steps } from '../../api/admin.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { StepList } from '../../components/page/step-list.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform');

type Step = Steps['steps'][number];

const words: Record<Step['step'], readonly [what: string, to: string, note: (about: string) => string]> = {
  currency: [t('enable_a_currency'), '/platform/currencies', () => t('orders_can_only_be_created_in')],
  rate: [
    t('set_the_ptk_rate_of_each'),
    '/platform/currencies',
    (about) =>
      about === ''
        ? t('sales_are_settled_in_ptk_including')
        : t('no_current_rate_about_sales_are', { about }),
  ],
  channel: [
    t('enable_a_payment_channel'),
    '/platform/channels',
    (about) =>
      about === '' ? t('buyers_pay_through_a_channel_a') : t('something_is_missing_about', { about }),
  ],
  webhook: [
    t('receive_a_webhook_from_each_card'),
    '/platform/channels',
    (about) =>
      about === ''
        ? t('a_webhook_proves_that_the_provider')
        : t('no_webhook_received_yet_about_send', { about }),
  ],
  merchant: [t('create_a_merchant'), '/platform/merchants', () => t('a_merchant_sells_and_has_a')],
  client: [t('create_an_api_key_for_its'), '/platform/clients', () => t('the_server_authenticates_with_it')],
  order: [
    t('create_the_first_order_from_the'),
    '/platform/clients',
    () => t('the_documentation_at_docs_has_a'),
  ],
  payment: [t('pay_the_order'), '/platform/orders', () => t('open_the_checkout_address_of_the')],
};

/** Lists the steps; gone once all are done. */
export function FirstSteps(): ReactNode {
  const { data } = useQuery({ ...adminQuery<Steps>('/first-steps'), refetchInterval: 10_000 });
  if (data === undefined || data.steps.every(({ done }) => done)) return null;
  return (
    <Panel title={t('first_steps')} about={t('what_the_platform_needs_before_a')}>
      <StepList steps={data.steps.map(listed)} />
    </Panel>
  );
}

const listed = ({ step, done, refusal, about }: Step) => {
  const [what, to, note] = words[step];
  return {
    ...{ step, done, what },
    link: (
      <AppLink to={to} size="sm">
        {what}
      </AppLink>
    ),
    note:
      refusal === null
        ? note(about.join(', '))
        : `${note(about.join(', '))} ${t('until_then_new_orders_are_refused', { refusal })}`,
  };
};
