/** What a role of the platform may do, for people who do not see all actions (D-500). */
import type { UserRole } from '@paydesk/contract';
import { textsOf } from '../texts/texts.ts';
import { roleWords } from './people/roles.ts';

const t = textsOf('platform');

/** What the roles may change. The service refuses the rest. */
const limits: Readonly<Partial<Record<UserRole, string>>> = {
  finance: t('you_decide_on_money_and_cases'),
  support: t('you_decide_cases_and_resend_webhooks'),
  auditor: t('you_can_export_actions_that_change'),
};

/** A sentence about the role; null for administrators, who may do everything. */
export function roleNote(role: UserRole): string | null {
  const said = limits[role];
  return said === undefined ? null : t('your_role_is_role_you_can', { role: roleWords[role], limits: said });
}
