/** The figures of all processes as one answer for Prometheus (D-402). */
import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';

export type Figures = MetricObjectWithValues<MetricValue<string>>[];

/** Figures of one process, and the name that its gauges get as a label. Null: it is ending, so no gauges. */
export interface Part {
  process: string | null;
  figures: Figures;
}

/** The figures of a process that only grow: they stay in the totals after the process ends. */
export async function growingFigures(registry: Registry): Promise<Figures> {
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  const figures = await Promise.all(names.map(async (name) => registry.getSingleMetric(name)?.get()));
  return figures.filter((metric) => metric !== undefined && isGrowing(metric)) as Figures;
}

/**
 * Counters and histograms are added up, also over processes that have ended, so that no figure falls when a process is
 * replaced. Gauges are shown for each process.
 */
export function createTotals() {
  /** What ended processes have counted. */
  let ended: Figures = [];
  const last = new Map<object, Figures>();
  return {
    /** Remembers the latest figures of a process. */
    note(key: object, figures: Figures): void {
      last.set(key, figures.filter(isGrowing));
    },
    /** The latest figures of a process that does not answer now. */
    lastOf: (key: object): Figures => last.get(key) ?? [],
    /** Keeps the counts of a process that has ended. */
    async keep(key: object): Promise<void> {
      const figures = last.get(key);
      last.delete(key);
      if (figures !== undefined) ended = await added([ended, figures]).getMetricsAsJSON();
    },
    async text(parts: readonly Part[]): Promise<string> {
      return added([ended, ...parts.map(shownOf)]).metrics();
    },
  };
}

const isGrowing = ({ type }: { type: unknown }): boolean => type === 'counter' || type === 'histogram';

const added = (all: readonly Figures[]): Registry => AggregatorRegistry.aggregate([...all]);

function shownOf({ process, figures }: Part): Figures {
  return figures
    .filter((metric) => isGrowing(metric) || process !== null)
    .map((metric) => ({
      ...metric,
      aggregator: 'sum',
      values: metric.values.map(({ value, labels, ...rest }) => ({
        ...rest,
        // JSON has no NaN.
        value: (value as number | null) ?? Number.NaN,
        labels: isGrowing(metric) ? labels : { ...labels, process: process ?? '' },
      })),
    }));
}
