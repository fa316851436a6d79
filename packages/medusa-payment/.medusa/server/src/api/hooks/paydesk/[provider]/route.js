/**
 * POST /hooks/paydesk/:provider. Medusa looks for the routes of a plug-in in this folder. Its own build would fill it, but needs
 * the whole Medusa; so this folder is written by hand, and only leads to what is compiled.
 */
exports.POST = require('../../../../../../../dist/cjs/route.js').POST;
