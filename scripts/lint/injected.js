/**
 * The rule `paydesk/injected`: the service takes time and chance as arguments, so that tests decide about both.
 */
export const injected = {
  meta: {
    type: 'problem',
    messages: {
      time: 'Time is an argument: take the clock.',
      chance: 'Chance is an argument: take the id source.',
    },
    schema: [],
  },
  create(context) {
    const report = (node, messageId) => context.report({ node, messageId });
    return {
      CallExpression(node) {
        const { object, property } = node.callee;
        if (object?.name === 'Date' && property?.name === 'now') report(node, 'time');
        if (object?.name === 'Math' && property?.name === 'random') report(node, 'chance');
      },
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) report(node, 'time');
      },
    };
  },
};
