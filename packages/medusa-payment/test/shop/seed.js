/** Fills the shop: one region, one book, a key for the storefront and one for the administration. */
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const {
  createApiKeysWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
} = require('@medusajs/medusa/core-flows');

exports.default = async function seed({ container }) {
  const run = async (workflow, input) => (await workflow(container).run({ input })).result;
  const [channel] = await run(createSalesChannelsWorkflow, { salesChannelsData: [{ name: 'Web' }] });
  const [region] = await run(createRegionsWorkflow, {
    regions: [
      {
        name: 'Here',
        currency_code: 'usd',
        countries: ['us'],
        payment_providers: ['pp_paydesk_paydesk'],
      },
    ],
  });
  const keys = [
    { title: 'storefront', type: 'publishable', created_by: '' },
    { title: 'test', type: 'secret', created_by: '' },
  ];
  const [publishable] = await run(createApiKeysWorkflow, { api_keys: [keys[0]] });
  const [secret] = await run(createApiKeysWorkflow, { api_keys: [keys[1]] });
  await run(linkSalesChannelsToApiKeyWorkflow, { id: publishable.id, add: [channel.id] });
  await run(createProductsWorkflow, {
    products: [
      {
        title: 'The Art of the Ledger',
        status: 'published',
        options: [{ title: 'Cover', values: ['Paper'] }],
        variants: [
          {
            title: 'Paper',
            sku: 'ledger',
            options: { Cover: 'Paper' },
            manage_inventory: false,
            prices: [{ amount: 10.5, currency_code: 'usd' }],
          },
        ],
        sales_channels: [{ id: channel.id }],
      },
    ],
  });
  const seeded = { publishable: publishable.token, secret: secret.token, region: region.id };
  writeFileSync(join(process.env.SHOP_FOLDER, 'seeded.json'), JSON.stringify(seeded));
};
