import { NotificationSettings } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import {
  checkDefaults,
  defaultsOf,
  rotateDefaultSecret,
  saveDefaults,
} from '../../notifications/settings/index.ts';
import { reader } from '../../base/input/decode.ts';
import { merchantNo } from '../../base/ids.ts';
import { changeAsMember } from '../request/as-member.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, memberOf } from '../request/member.ts';

const readSettings = reader(NotificationSettings);

/**
 * The default endpoint of a merchant's notifications: read and saved, its secret rotated. Nothing
 * is sent to it (D-154).
 */
export function notificationSettingsRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const rules = { vetNotifyUrl: deps.vetNotifyUrl, allow_cidrs: deps.notify_allow_cidrs };

  app.get<ByMerchant>('/notification-settings', (request) => defaultsOf(memberOf(request).merchant));

  app.put<ByMerchant>('/notification-settings', async (request) => {
    const { actor, merchant } = memberOf(request);
    const { merchant_id } = merchant;
    const settings = readSettings(request.body);
    await checkDefaults(rules, defaultsOf(merchant), settings);
    const act = { actor, action: 'notification-settings.save' };
    const { saved, secret } = await changeAsMember(deps, request, act, async (tx) => {
      const { before, after, secret } = await saveDefaults(tx, deps, merchant_id, settings);
      const logged = { ...after, ...(secret === null ? {} : secretSet) };
      const shown = secret === null ? null : 'notification_secret';
      return {
        target: `merchant:${merchantNo(merchant_id)}`,
        before,
        after: logged,
        shown,
        saved: after,
        secret,
      };
    });
    return { ...saved, ...(secret === null ? {} : { secret }) };
  });

  app.post<ByMerchant>(
    '/notification-settings/rotation',
    { config: { body: 'ignored' } },
    async (request) => {
      const { actor, merchant } = memberOf(request);
      const { merchant_id } = merchant;
      const act = { actor, action: 'notification-settings.rotate-secret' };
      const { secret } = await changeAsMember(deps, request, act, async (tx) => {
        const { defaults, secret } = await rotateDefaultSecret(tx, deps, merchant_id);
        const after = { ...defaults, ...secretSet };
        return {
          target: `merchant:${merchantNo(merchant_id)}`,
          before: defaults,
          after,
          shown: 'notification_secret',
          secret,
        };
      });
      return { secret };
    },
  );
}

/** The audit log records that a secret was set, but not the secret. */
const secretSet = { secrets_set: ['notification_secret'] };
