import { renderToString } from 'preact-render-to-string';
import { afterEach, expect, test, vi } from 'vitest';
import { buyer, cases, contextOf, viewOf } from '../../../test/support/views.ts';
import { messagesIn } from '../../texts/catalogue.ts';
import { renderCheckout } from '../../index.ts';
import { CheckoutApp } from '../../view/checkout-app.tsx';
import type { AppProps } from '../../view/props.ts';
import { formattedAmounts } from './formatted-amounts.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** The props that the page carries for the browser. */
function propsIn(html: string): AppProps {
  const json = /id="checkout-props"[^>]*>([^<]*)</.exec(html)?.[1] ?? '';
  return JSON.parse(json) as AppProps;
}

test.each(['choose', 'preview-card', 'preview-ptk', 'resume', 'test-mode', 'methods', 'processing-days'])(
  'the browser formats no number to take over %s, and shows the same',
  (name) => {
    const { view, page } = cases[name] ?? { view: viewOf() };
    const html = renderCheckout(view, contextOf({ ...page, locale: 'de' }));
    const format = vi.spyOn(Intl, 'NumberFormat');
    const again = renderToString(<CheckoutApp {...propsIn(html)} />);
    expect(format).not.toHaveBeenCalled();
    // The signs stand in the page alone: the script leaves them as they are.
    expect(html.replaceAll(/(<span class="marks">)<span.*?<\/small>(?=<\/span>)/gs, '$1')).toContain(again);
  },
);

test('what was not formatted before is formatted then', () => {
  const state = viewOf({ buyer });
  const amounts = formattedAmounts(state, 'fr');
  expect(Object.keys(amounts)).toContain('PTK 500.00000000');
  const { state: shown, context } = propsIn(renderCheckout(state, contextOf({ locale: 'fr' })));
  const props = { state: shown, context, messages: messagesIn('fr') };
  const without = renderToString(<CheckoutApp {...props} amounts={{}} />);
  expect(renderToString(<CheckoutApp {...props} amounts={amounts} />)).toBe(without);
});
