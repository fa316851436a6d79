import { SimpleGrid, Skeleton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLater, useLoaded } from '../../shell/load-later.ts';
import type { Series } from './series.ts';

const load = () => import('./figure-charts.tsx');

/** The charts, in their place before they are there: they are loaded after the figures, when they come into view (D-335). */
export function LazyCharts({ series }: { series: Series }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const later = useLater();
  const charts = useLoaded(load, later && isNear);
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: '100px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place}>
      {charts === null ? (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Skeleton h={330} />
          <Skeleton h={330} />
        </SimpleGrid>
      ) : (
        <charts.FigureCharts series={series} />
      )}
    </div>
  );
}
