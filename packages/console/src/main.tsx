/** Starts the consoles in the browser. */
import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/charts/styles.css';
import '@mantine/spotlight/styles.css';
import './app.css';
import './contrast.css';
import './components/list/cards.css';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchActivity } from './api/activity.ts';
import { pageSettings } from './api/page-settings.ts';
import { queryClient } from './api/query-client.ts';
import { router } from './router.tsx';
import { expectArrival } from './components/page/arrival.ts';
import { Notices } from './shell/place-of-notices.tsx';
import { PresenceDialog } from './shell/presence-dialog.tsx';
import { ReloadOffer } from './shell/reload-offer.tsx';
import { direction } from './texts/language.ts';
import { loadErrorTexts, loadTexts } from './texts/texts.ts';
import { theme } from './theme.ts';

// The component that locks scrolling behind a dialog writes a style, and reads the nonce from this name.
Object.assign(globalThis, { __webpack_nonce__: pageSettings.nonce });

watchActivity(window);
router.subscribe('onBeforeLoad', expectArrival);

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no root');
const application = (
  <StrictMode>
    <DirectionProvider initialDirection={direction} detectDirection={false}>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => pageSettings.nonce}>
        <QueryClientProvider client={queryClient}>
          <Notices />
          <RouterProvider router={router} />
          <PresenceDialog />
          <ReloadOffer />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  </StrictMode>
);

// Every screen needs these texts. The page has begun to load them already.
void loadTexts(['core', 'codes']).then(() => {
  createRoot(root).render(application);
  return loadErrorTexts();
});
