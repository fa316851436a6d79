import { SimpleGrid, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Series } from './series.ts';

const FigureCharts = lazy(() => import('./figure-charts.tsx'));

/** The charts, in their place before they are there: they are loaded after the figures. */
export const LazyCharts = ({ series }: { series: Series }) => (
  <Suspense
    fallback={
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Skeleton h={330} />
        <Skeleton h={330} />
      </SimpleGrid>
    }
  >
    <FigureCharts series={series} />
  </Suspense>
);
