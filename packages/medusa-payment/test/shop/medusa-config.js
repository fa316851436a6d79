/** A Medusa shop for the end-to-end test, with the plug-in as its README says, and further options. */
const { defineConfig } = require('@medusajs/framework/utils');
const { plugins, modules } = require('./readme.cjs');

Object.assign(modules[0].options.providers[0].options, JSON.parse(process.env.SHOP_SETTINGS));

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
  plugins,
  modules,
});
