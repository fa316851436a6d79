/** What a new platform still needs before a buyer can pay. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { adminQuery, type FirstSteps as Steps } from '../../api/admin.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { StepList } from '../../components/page/step-list.tsx';

type Step = Steps['steps'][number];

const words: Record<Step['step'], readonly [what: string, to: string, note: (about: string) => string]> = {
  currency: ['Enable a currency', '/platform/currencies', () => 'Orders are created in an enabled currency.'],
  rate: [
    'Set the PTK rate of each currency',
    '/platform/currencies',
    (about) =>
      about === ''
        ? 'Sales are settled in PTK, card payments too.'
        : `Without a current rate: ${about}. Sales are settled in PTK, card payments too.`,
  ],
  channel: [
    'Enable a payment channel',
    '/platform/channels',
    (about) =>
      about === ''
        ? 'Buyers pay through a channel: a card provider, or PTK.'
        : `Without its secret key or webhook secret: ${about}.`,
  ],
  webhook: [
    'Receive a webhook from each card provider',
    '/platform/channels',
    (about) =>
      about === ''
        ? 'A webhook proves that the provider reaches Paydesk and that the secret is right.'
        : `Nothing has come yet for ${about}. Send a test event from the provider’s dashboard to the webhook address of the channel.`,
  ],
  merchant: ['Create a merchant', '/platform/merchants', () => 'A merchant sells, and owns a wallet.'],
  client: [
    'Create an OAuth client for its server',
    '/platform/clients',
    () => 'The server signs in with it.',
  ],
  order: [
    'Create the first order from the merchant’s server',
    '/platform/clients',
    () => 'The documentation at /docs has a line for the shell.',
  ],
  payment: [
    'Pay it',
    '/platform/orders',
    () => 'Open the checkout address of the order and pay a small amount.',
  ],
};

/** Lists the steps; gone once all are done. */
export function FirstSteps(): ReactNode {
  const { data } = useQuery({ ...adminQuery<Steps>('/first-steps'), refetchInterval: 10_000 });
  if (data === undefined || data.steps.every(({ done }) => done)) return null;
  return (
    <Panel title="First steps" about="What this platform needs before a buyer can pay, in order.">
      <StepList steps={data.steps.map(listed)} />
    </Panel>
  );
}

const listed = ({ step, done, refusal, about }: Step) => {
  const [what, to, note] = words[step];
  const refused = refusal === null ? '' : ` Until then, new orders are refused with ${refusal}.`;
  return {
    ...{ step, done, what },
    link: (
      <AppLink to={to} size="sm">
        {what}
      </AppLink>
    ),
    note: note(about.join(', ')) + refused,
  };
};
