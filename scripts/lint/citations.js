/** Two numbers of docs/requirements.md with everything between them, such as the numbers 5 to 9 of one kind. */
const range = /\b([RDH])-\d+[\s*]*(?:to|–|-)[\s*]*\1-\d+/g;

/**
 * Comments cite each number by itself. A search for the third number of a range would not find it, and a range says of
 * one function what several functions do.
 *
 * @type {import('oxlint/plugins-dev').Rule}
 */
export const citations = {
  meta: {
    type: 'problem',
    messages: { range: 'Cite each number by itself: "{{text}}" hides those between.' },
  },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          for (const [text] of comment.value.matchAll(range)) {
            if (comment.loc) context.report({ loc: comment.loc, messageId: 'range', data: { text } });
          }
        }
      },
    };
  },
};
