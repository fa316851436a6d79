/** The areas of the consoles' texts. Each has a folder with a file for every language, and is loaded by itself. */
import type { texts as acts } from './acts/en.ts';
import type { texts as business } from './business/en.ts';
import type { texts as catalog } from './catalog/en.ts';
import type { texts as codes } from './codes/en.ts';
import type { texts as core } from './core/en.ts';
import type { texts as developers } from './developers/en.ts';
import type { texts as errors } from './errors/en.ts';
import type { texts as ledger } from './ledger/en.ts';
import type { texts as merchant } from './merchant/en.ts';
import type { texts as order } from './order/en.ts';
import type { texts as orders } from './orders/en.ts';
import type { texts as platform } from './platform/en.ts';
import type { texts as platformChannels } from './platform-channels/en.ts';
import type { texts as platformDisputes } from './platform-disputes/en.ts';
import type { texts as platformMerchants } from './platform-merchants/en.ts';
import type { texts as platformMoney } from './platform-money/en.ts';
import type { texts as platformOperation } from './platform-operation/en.ts';
import type { texts as platformOrders } from './platform-orders/en.ts';
import type { texts as sales } from './sales/en.ts';
import type { texts as team } from './team/en.ts';
import type { texts as wallet } from './wallet/en.ts';
import type { texts as webhooks } from './webhooks/en.ts';

/** The English texts of each area, which are the pattern for the other languages. */
export interface Catalogues {
  acts: typeof acts;
  business: typeof business;
  catalog: typeof catalog;
  codes: typeof codes;
  core: typeof core;
  developers: typeof developers;
  errors: typeof errors;
  ledger: typeof ledger;
  merchant: typeof merchant;
  order: typeof order;
  orders: typeof orders;
  platform: typeof platform;
  'platform-channels': typeof platformChannels;
  'platform-disputes': typeof platformDisputes;
  'platform-merchants': typeof platformMerchants;
  'platform-money': typeof platformMoney;
  'platform-operation': typeof platformOperation;
  'platform-orders': typeof platformOrders;
  sales: typeof sales;
  team: typeof team;
  wallet: typeof wallet;
  webhooks: typeof webhooks;
}

/**
 * Areas that may lack texts in a language, which are then shown in English. Take an area off once every language has all
 * of it: from then on a missing text does not compile.
 */
export const untranslated = [] as const satisfies readonly (keyof Catalogues)[];
