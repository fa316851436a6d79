/** Medusa looks for the routes of a plug-in here: POST /hooks/paydesk/:provider. */
exports.POST = require('../../../../../../../dist/cjs/route.js').POST;
