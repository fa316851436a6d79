/** The signature of a notification covers its bytes, so Medusa keeps them. */
const { defineMiddlewares } = require('@medusajs/framework/http');

exports.default = defineMiddlewares({
  routes: [{ matcher: '/hooks/paydesk/*', methods: ['POST'], bodyParser: { preserveRawBody: true } }],
});
