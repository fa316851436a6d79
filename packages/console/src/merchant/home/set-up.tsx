/** The steps that a new merchant takes first. */
import type { Home } from '../../api/merchants.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { StepList } from '../../components/page/step-list.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('merchant');

type Step = Home['steps'][number];

const words: Record<
  Step['step'],
  readonly [what: string, where: 'settings' | 'developers' | 'notification-settings']
> = {
  profile: [t('complete_your_public_profile'), 'settings'],
  client: [t('create_an_api_key_for_your'), 'developers'],
  scopes: [t('get_its_scopes_approved_by_the'), 'developers'],
  notifications: [t('set_up_your_webhook_endpoint'), 'notification-settings'],
  order: [t('create_your_first_order_from_your'), 'developers'],
  payment: [t('receive_your_first_payment'), 'developers'],
};

/** Lists the steps; gone once all are done. */
export function SetUp({ steps, merchant_no }: { steps: Home['steps']; merchant_no: string }) {
  if (steps.every(({ done }) => done)) return null;
  return (
    <Panel title={t('setup')} about={t('the_steps_to_your_first_payment')}>
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
