import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { loadTexts } from '../../texts/texts.ts';

await loadTexts(['team']);
const { LogoAddress } = await import('./logo-address.tsx');

const logo_url = 'https://shop.example/logo.png';

test.each([
  ['where it was fetched or not yet asked for', logo_url, null, /^https:\/\/shop\.example\/logo\.png$/],
  [
    'where it is no picture',
    logo_url,
    'not_a_picture',
    /logo\.png The logo could not be loaded: it is not a PNG, JPEG or WebP\./,
  ],
  ['where its server is unknown', logo_url, 'dns_failed', /the name of its server is not known\./],
  ['where there is no address', '', null, /^–$/],
] as const)(
  'R-382 the merchant is told the result for the logo: %s',
  (_case, logo_url, logo_problem, said) => {
    const page = renderToStaticMarkup(
      <MantineProvider>
        <LogoAddress logo_url={logo_url} logo_problem={logo_problem} />
      </MantineProvider>,
    );
    const text = page
      .replaceAll(/<style.*?<\/style>/gs, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    expect(text).toMatch(said);
  },
);
