/** The steps that a new merchant takes first. */
import type { Home } from '../../api/merchants.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { StepList } from '../../components/page/step-list.tsx';

type Step = Home['steps'][number];

const words: Record<
  Step['step'],
  readonly [what: string, where: 'settings' | 'developers' | 'notification-settings']
> = {
  profile: ['Describe your business to buyers', 'settings'],
  client: ['Create a client for your server, and keep its secret', 'developers'],
  scopes: ['Have its scopes approved by an administrator', 'developers'],
  notifications: ['Say where your server is told of payments', 'notification-settings'],
  order: ['Create the first order from your server', 'developers'],
  payment: ['See the first payment arrive', 'developers'],
};

/** Lists the steps; gone once all are done. */
export function SetUp({ steps, merchant_no }: { steps: Home['steps']; merchant_no: string }) {
  if (steps.every(({ done }) => done)) return null;
  return (
    <Panel title="Set up" about="From here to the first payment.">
      <StepList
        steps={steps.map(({ step, done }) => {
          const [what, where] = words[step];
          const link = (
            <AppLink to={`/console/merchants/$merchant_no/${where}`} params={{ merchant_no }} size="sm">
              {what}
            </AppLink>
          );
          return { step, done, what, link };
        })}
      />
    </Panel>
  );
}
