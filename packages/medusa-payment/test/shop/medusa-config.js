/** A Medusa shop for the end-to-end test. */
const { defineConfig } = require('@medusajs/framework/utils');

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { ssl: false },
    http: {
      storeCors: '*',
      adminCors: '*',
      authCors: '*',
      jwtSecret: 'of-the-test',
      cookieSecret: 'of-the-test',
    },
  },
  plugins: [{ resolve: '@paydesk/medusa-payment', options: {} }],
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: [
          {
            resolve: '@paydesk/medusa-payment',
            id: 'paydesk',
            options: JSON.parse(process.env.SHOP_SETTINGS),
          },
        ],
      },
    },
  ],
});
