import { type MerchantSettings, MerchantSettingsChange } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { selectLogoProblem, type Merchant, updateMerchant } from '../../merchants/index.ts';
import { reader } from '../../base/input/decode.ts';
import { merchantNo } from '../../base/ids.ts';
import { changeAsMember } from '../request/as-member.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, memberOf } from '../request/member.ts';

const readChange = reader(MerchantSettingsChange);

/**
 * A merchant's profile, whether guests may buy, and who may embed the checkout. Only the owner changes them (R-335, R-376,
 * D-265).
 */
export function settingsRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const shown = async (merchant_id: string, settings: Settings): Promise<MerchantSettings> => ({
    ...settings,
    logo_problem: await selectLogoProblem(deps.db.lookups, merchant_id),
  });

  app.get<ByMerchant>('/settings', (request) => {
    const { merchant } = memberOf(request);
    return shown(merchant.merchant_id, settingsJson(merchant));
  });

  app.patch<ByMerchant>('/settings', async (request) => {
    const { actor, merchant } = memberOf(request);
    const settings = readChange(request.body);
    const { after } = await changeAsMember(
      deps,
      request,
      { actor, action: 'settings.change' },
      async (tx) => {
        const change = await updateMerchant(tx, merchant.merchant_id, settings);
        return {
          target: `merchant:${merchantNo(merchant.merchant_id)}`,
          before: settingsJson(change.before),
          after: settingsJson(change.after),
        };
      },
    );
    return shown(merchant.merchant_id, after);
  });
}

type Settings = Omit<MerchantSettings, 'logo_problem'>;

const settingsJson = (merchant: Merchant): Settings => ({
  guest_purchase_allowed: merchant.guest_purchase_allowed,
  name: merchant.name,
  logo_url: merchant.logo_url,
  short_description: merchant.short_description,
  description: merchant.description,
  business_scope: merchant.business_scope,
  website_url: merchant.website_url,
  contact: merchant.contact,
  embed_origins: [...merchant.embed_origins],
});
