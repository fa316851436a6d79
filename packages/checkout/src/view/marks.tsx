/** The place of the signs of card brands and methods. The server draws them; the script leaves them as they are. */

/** The signs and names of what methods offer as markup, by `method_id`. */
export type MethodMarks = Readonly<Record<string, string>>;

/**
 * What one method offers: signs, and the names that they stand for.
 *
 * @param html empty in the browser, which keeps what the page has
 */
export const Marks = ({ html = '' }: { html: string | undefined }) => (
  <span class="marks" dangerouslySetInnerHTML={{ __html: html }} />
);
