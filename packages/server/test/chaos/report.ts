import { markdownTable, sourceCommit } from '../support/run/reliability.ts';
import { rules, type Violation } from './check-history.ts';
import { type FaultKind, faultKinds } from './faults.ts';
import type { Call, History } from './history.ts';
import { endings } from './paydesk-process.ts';

/** One fault that was injected. Times are those of the history. */
export interface Injected {
  kind: FaultKind;
  target: string;
  from_ms: number;
  /** When it was undone. */
  undone_ms: number;
  /** How long until what it touched was ready again; null: not in time. */
  recovered_ms: number | null;
  /** What went wrong with it, in words. */
  problem: string;
}

export interface ChaosReport {
  seed: number;
  commit: string;
  took_ms: number;
  faults: number;
  kinds: Record<string, { injected: number; median_ms: number; most_ms: number; problems: number }>;
  requests: number;
  failed: Record<string, number>;
  orders: Record<string, number>;
  notifications: number;
  rolling: Lone;
  failovers: Lone;
  violations: Violation[];
  /** Faults from which something did not recover, stops that were not clean, and books with findings. */
  problems: string[];
  verify_ledger: string;
  refused: string[];
  /** How often a process found no database at its start, ended, and was started again. */
  vain_starts: number;
  /** The lines that processes logged as errors, by their text, with how often. */
  complaints: Record<string, number>;
}

/** Failed requests while a kind of fault was measured by itself. */
interface Lone {
  times: number;
  failed: Record<string, number>;
  /** From the fault until the last failed request was answered, at most. */
  longest_ms: number;
  /** The longest that a failed request had to wait for its answer. */
  slowest_ms: number;
}

export interface Findings {
  seed: number;
  took_ms: number;
  history: History;
  injected: readonly Injected[];
  violations: Violation[];
  verified: { code: number | null; output: string };
  refused: readonly string[];
  complaints: readonly string[];
  bad_stops: readonly string[];
}

const hasFailed = ({ status }: Call): boolean => status === 0 || status >= 500;
const nameOf = ({ kind, status, error }: Call): string =>
  `${kind} ${status === 0 ? 'no answer' : status}${error === '' ? '' : ` ${error}`}`;

export function reportOf(findings: Findings): ChaosReport {
  const { seed, took_ms, history, injected, violations, verified, refused, complaints, bad_stops } = findings;
  const kinds: ChaosReport['kinds'] = {};
  for (const kind of Object.keys(faultKinds) as FaultKind[]) {
    const all = injected.filter((one) => one.kind === kind);
    const times = all.flatMap(({ recovered_ms }) => recovered_ms ?? []).sort((a, b) => a - b);
    if (all.length === 0) continue;
    kinds[kind] = {
      injected: all.length,
      median_ms: Math.round(times[Math.floor(times.length / 2)] ?? 0),
      most_ms: Math.round(times.at(-1) ?? 0),
      problems: all.filter(({ problem }) => problem !== '').length,
    };
  }
  const ledger = verified.output.trim().split('\n').at(-1) ?? '';
  return {
    ...{ seed, commit: sourceCommit(), took_ms: Math.round(took_ms), faults: injected.length, kinds },
    requests: history.calls.length,
    failed: countBy(history.calls.filter(hasFailed), nameOf),
    orders: countBy(history.orders, ({ order }) => order.status),
    notifications: history.receipts.length,
    rolling: loneOf(
      history,
      injected.filter(({ kind }) => kind === 'rolling restart'),
    ),
    failovers: loneOf(
      history,
      injected.filter(({ kind }) => kind.endsWith('failover')),
    ),
    violations,
    problems: [
      ...injected
        .filter(({ problem }) => problem !== '')
        .map((one) => `${one.kind}, ${one.target}: ${one.problem}`),
      ...bad_stops,
      ...complaints.filter((line) => line.includes(endings.serving)),
      ...(verified.code === 0 ? [] : [`verify-ledger ended with ${String(verified.code)}: ${ledger}`]),
    ],
    verify_ledger: verified.code === 0 ? ledger : verified.output,
    refused: [...refused],
    vain_starts: complaints.filter((line) => line.includes(endings.starting)).length,
    complaints: countBy(complaints, gistOf),
  };
}

/** Requests that failed while such a fault was under way, or was being recovered from. */
function loneOf({ calls }: History, injected: readonly Injected[]): Lone {
  const found = injected.map(({ from_ms, undone_ms, recovered_ms }) => ({
    from_ms,
    calls: calls.filter(
      (call) => hasFailed(call) && call.to_ms >= from_ms && call.from_ms <= undone_ms + (recovered_ms ?? 0),
    ),
  }));
  const all = found.flatMap((one) => one.calls);
  const longest = found.flatMap((one) => one.calls.map(({ to_ms }) => to_ms - one.from_ms));
  return {
    times: injected.length,
    failed: countBy(all, nameOf),
    longest_ms: Math.round(Math.max(0, ...longest)),
    slowest_ms: Math.round(Math.max(0, ...all.map(({ from_ms, to_ms }) => to_ms - from_ms))),
  };
}

type Fault = { message?: string; code?: string } | undefined;

/** A line of the log without what differs each time. */
function gistOf(line: string): string {
  const [, text = line] = /^[a-z]+-\d: (.*)$/s.exec(line) ?? [];
  try {
    // A folded line has the error as `error`.
    const {
      msg = '',
      err,
      error = err,
    } = JSON.parse(text) as Record<'err' | 'error', Fault> & { msg?: string };
    return `${msg}: ${error?.code ?? ''} ${error?.message ?? ''}`
      .replace(/\b[\w-]*\d[\w-]{5,}\b/g, '…')
      .slice(0, 160);
  } catch {
    return text.replace(/\d+/g, 'N').slice(0, 160);
  }
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

const inWords = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ') || 'none';

/** The section of docs/reliability.md. */
export function sectionOf(report: ChaosReport): string[] {
  const minutes = (report.took_ms / 60_000).toFixed(0);
  const broken = countBy(report.violations, ({ rule }) => rule);
  return [
    `${report.faults} faults in ${minutes} minutes, seed ${report.seed}, commit ${report.commit}. Meanwhile`,
    `${report.requests} requests and ${report.notifications} notifications; at the end ${inWords(report.orders)} orders.`,
    '',
    ...markdownTable(
      ['fault', 'what happens', 'times', 'ready again, median', 'at most', 'not in time'],
      Object.entries(report.kinds).map(([kind, one]) => [
        ...[kind, faultKinds[kind as FaultKind], one.injected],
        ...[`${(one.median_ms / 1_000).toFixed(1)} s`, `${(one.most_ms / 1_000).toFixed(1)} s`, one.problems],
      ]),
    ),
    '',
    ...markdownTable(
      ['rule of the observer', 'violations'],
      Object.entries(rules).map(([rule, words]) => [words, broken[rule] ?? 0]),
    ),
    '',
    `- Failed requests, all faults together: ${inWords(report.failed)}. Clients repeated each.`,
    `- During ${report.rolling.times} rolling restarts: ${inWords(report.rolling.failed)}.`,
    `- During ${report.failovers.times} failovers: ${inWords(report.failovers.failed)}, for at most ${(report.failovers.longest_ms / 1_000).toFixed(1)} s; the slowest answer took ${(report.failovers.slowest_ms / 1_000).toFixed(1)} s.`,
    `- \`verify-ledger\` at the end: ${report.verify_ledger}`,
    `- Processes that found no database at their start, ended, and were started again after two seconds: ${report.vain_starts}.`,
    ...report.problems.map((problem) => `- Not in order: ${problem}`),
    ...report.refused.map((words) => `- Not injected: ${words}`),
  ];
}
