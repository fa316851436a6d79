/** The colours and components' defaults of the consoles. */
import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { pageSettings } from './api/page-settings.ts';

/** The blue of the checkout, from light to dark. */
const blue: MantineColorsTuple = [
  '#eef2ff',
  '#dbe3fe',
  '#b9c8fb',
  '#90a8f6',
  '#6485ee',
  '#3f63e0',
  '#1f47c4',
  '#183aa3',
  '#142f83',
  '#0e2261',
];

const { shades } = pageSettings.brand;
/** The platform's own accent, or the blue. The service has checked its contrast. */
const brand = shades.length === 10 ? (shades as unknown as MantineColorsTuple) : blue;

/** Greys with a little blue. */
const dark: MantineColorsTuple = [
  '#e6e9f2',
  '#a7aec3',
  '#8b93ab',
  '#5b6379',
  '#3a4156',
  '#2b3142',
  '#1f2433',
  '#171b27',
  '#10141e',
  '#0a0d14',
];

/** The header of a dialog is not a header of the page: without this, screen readers list it as another banner. */
const plainHeader = { header: { role: 'none' } };

/**
 * A list of choices scrolls by itself: the keyboard reaches a choice out of sight, but no area around the list. The focus
 * does not open it over what lies below.
 */
const choices = {
  defaultProps: { withScrollArea: false, openOnFocus: false },
  styles: { options: { maxHeight: 220, overflowY: 'auto' } },
} as const;

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 6, dark: 5 },
  colors: { brand, dark },
  autoContrast: true,
  luminanceThreshold: 0.35,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    NavLink: { styles: { root: { borderRadius: 'var(--mantine-radius-md)' }, label: { lineHeight: 1.35 } } },
    Modal: { defaultProps: { radius: 'lg', attributes: plainHeader } },
    Drawer: { defaultProps: { attributes: plainHeader } },
    Select: choices,
    MultiSelect: choices,
    TagsInput: choices,
    // Its title in the colour of an alert is too pale on the alert's ground.
    Alert: { defaultProps: { radius: 'md' }, styles: { label: { color: 'var(--mantine-color-text)' } } },
  },
});
