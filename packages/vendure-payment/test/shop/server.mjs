/**
 * A Vendure shop with one book, for the end-to-end test: the real server, with the installed package as its README says. It
 * prints one line when it is ready.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, DefaultLogger, LanguageCode, LogLevel, mergeConfig } from '@vendure/core';
import { populate } from '@vendure/core/cli/index.js';
import { plugins } from './readme.mjs';

const { PORT, DATABASE_URL, SHOP_FOLDER, SHOP_SETTINGS, RETURN_URL } = process.env;

const config = {
  apiOptions: {
    port: Number(PORT),
    hostname: '127.0.0.1',
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
  },
  authOptions: {
    tokenMethod: ['bearer', 'cookie'],
    superadminCredentials: { identifier: 'admin', password: 'admin' },
    cookieOptions: { secret: 'of-the-test' },
    requireVerification: false,
  },
  dbConnectionOptions: { type: 'postgres', url: DATABASE_URL, synchronize: true, logging: false },
  defaultChannelToken: 'books',
  importExportOptions: { importAssetsDir: SHOP_FOLDER },
  logger: new DefaultLogger({ level: LogLevel.Warn }),
  plugins,
};

const settings = { ...JSON.parse(SHOP_SETTINGS), return_url: RETURN_URL };
const catalog = join(SHOP_FOLDER, 'products.csv');
writeFileSync(
  catalog,
  `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
The Art of the Ledger,ledger,Paperback,,,,,ledger,10.50,standard,100,false,,
`,
);

const app = await populate(
  () => bootstrap(mergeConfig({}, config)),
  {
    defaultLanguage: LanguageCode.en,
    defaultZone: 'Europe',
    countries: [{ name: 'Austria', code: 'AT', zone: 'Europe' }],
    taxRates: [{ name: 'Standard', percentage: 0 }],
    shippingMethods: [{ name: 'Post', price: 0 }],
    paymentMethods: [
      {
        name: 'Paydesk',
        handler: {
          code: 'paydesk',
          arguments: Object.entries(settings).map(([name, value]) => ({ name, value: String(value) })),
        },
      },
    ],
    collections: [],
  },
  catalog,
);
console.log('ready');
process.on('SIGTERM', () => void app.close().finally(() => process.exit(0)));
