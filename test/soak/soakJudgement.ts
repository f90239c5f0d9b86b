/** What the samples of a soak must be like after its warm-up: each series with its rule, and what it comes to. */
import { type Line, lineThrough, type Point } from './soakFit.ts';
import type { ThreadSample } from './soakPreload.ts';
import type { Sample } from './soakProbe.ts';

/** Of a run: a program that begins is not at its steady state yet, and is killed now and then meanwhile. */
export const WARM_UP = 1 / 3;
/** How sure a rise must be: so many standard errors of its slope. */
const ERRORS = 2;
export const MOST_GROWTH = 10;
/** Samples of one process: V8 keeps code that ran once for some minutes, some 5 MB, and lets it go by itself. */
const SETTLED = 20;
/** Descriptors, threads and the like may be this many more at the end: what is at work just then. */
export const MOST_MORE = 2;

type Rule =
  /** Rises by no more than so many. */
  | { readonly rule: 'flat'; readonly most: number }
  /** Never more. */
  | { readonly rule: 'under'; readonly most: number }
  /** For each finished job as much in the second half as in the first: no surely faster growth than by so many percent. */
  | { readonly rule: 'even'; readonly percent: number }
  | { readonly rule: 'shown' };

export interface Series {
  readonly name: string;
  readonly unit: 'MB' | 'kB' | '';
  readonly rule: Rule;
  /** By seconds, but for `even`: by finished jobs. */
  readonly points: readonly Point[];
}

export interface Judged {
  readonly series: Series;
  /** What the rule is about: a rise without its noise, in percent where it says percent; the most of `under`. */
  readonly value: number;
  readonly unit: string;
  readonly limit: number | null;
  readonly broken: boolean;
}

const MB = 1_000_000;
const KB = 1_000;
export const HEAP_BY_JOBS = 'heap of the owner, by finished jobs';

const by = (unit: number) => (points: readonly Point[]) => points.map(({ x, y }) => ({ x, y: y / unit }));
const [inMb, inKb] = [by(MB), by(KB)];
const finished = ({ finishedJobs }: Sample): number => finishedJobs;

/** The whole of a run; those of the warm-up are only shown. */
export function seriesOf(samples: readonly Sample[], lines: readonly ThreadSample[], ceilingBytes: number): Series[] {
  const threads = Map.groupBy(lines, ({ pid, nth }) => `${pid} ${nth}`);
  const points = (pick: (sample: Sample) => number | null, at = (sample: Sample) => sample.seconds): Point[] =>
    samples.flatMap((sample) => {
      const y = pick(sample);
      return y === null ? [] : [{ x: at(sample), y }];
    });
  /** The mean of the threads that answered: a busy one may be late. */
  const inside = (
    owner: boolean,
    pick: (line: ThreadSample) => number,
    at?: (sample: Sample) => number,
    from = 0,
  ): Point[] =>
    points(({ pid, nth }) => {
      if (nth < from) return null;
      const said = (threads.get(`${pid} ${nth}`) ?? []).filter(({ thread }) => (thread === '') === owner);
      return said.length === 0 ? null : said.reduce((sum, line) => sum + pick(line), 0) / said.length;
    }, at);
  const flat = (name: string, all: readonly Point[]): Series => ({
    name,
    unit: '',
    rule: { rule: 'flat', most: MOST_MORE },
    points: all,
  });
  const shown = (name: string, all: readonly Point[]): Series => ({
    name,
    unit: 'MB',
    rule: { rule: 'shown' },
    points: all,
  });
  const even: Rule = { rule: 'even', percent: MOST_GROWTH };
  const heap = ({ heapBytes }: ThreadSample): number => heapBytes;
  return [
    // All rows are in it: what of it is no row, a new owner tells (soakFresh.ts).
    shown('heap of the owner', inMb(inside(true, heap))),
    { name: HEAP_BY_JOBS, unit: 'kB', rule: even, points: inKb(inside(true, heap, finished, SETTLED)) },
    shown('heap of a worker thread', inMb(inside(false, heap))),
    shown(
      'memory of the process (RSS)',
      points((s) => s.rssBytes / MB),
    ),
    flat(
      'open file descriptors',
      points((s) => s.descriptors),
    ),
    flat(
      'threads',
      points((s) => s.threads),
    ),
    flat(
      'timers and handles of the owner',
      inside(true, ({ resources }) => resources),
    ),
    flat(
      'timers and handles of a worker thread',
      inside(false, ({ resources }) => resources),
    ),
    flat(
      'processes below the owner',
      points((s) => s.processesBelow),
    ),
    flat(
      'entries of the temp folder',
      points((s) => s.tempEntries),
    ),
    {
      name: "the clones' folder",
      unit: 'MB',
      rule: { rule: 'under', most: ceilingBytes / MB },
      points: points((s) => s.cloneBytes / MB),
    },
    {
      name: '.autonomous, by finished jobs',
      unit: 'kB',
      rule: even,
      points: points((s) => s.stateBytes / KB, finished),
    },
  ];
}

/** null: it was too short to tell. The warm-up counts nothing. */
export function judge(series: Series): Judged | null {
  const { rule, unit } = series;
  const points = afterWarmUp(series);
  switch (rule.rule) {
    case 'flat': {
      const line = lineThrough(points);
      return line && verdict(series, '', rule.most, sureRise(line));
    }
    case 'even': {
      const half = Math.floor(points.length / 2);
      const [first, second] = [lineThrough(points.slice(0, half)), lineThrough(points.slice(half))];
      const whole = lineThrough(points);
      if (first === null || second === null || whole === null) return null;
      const sure = second.slope - first.slope - ERRORS * Math.hypot(first.error, second.error);
      // What does not grow at all grows no faster.
      return verdict(series, '%', rule.percent, whole.slope <= 0 ? 0 : (sure * 100) / whole.slope);
    }
    case 'under':
      return verdict(series, unit, rule.most, Math.max(...points.map(({ y }) => y)));
    case 'shown':
      return { series, value: points.at(-1)?.y ?? 0, unit, limit: null, broken: false };
  }
}

/** What it grows by for each of its x. */
export const growthOf = (series: Series): number => lineThrough(afterWarmUp(series))?.slope ?? 0;

const afterWarmUp = ({ points }: Series): readonly Point[] => points.slice(Math.ceil(points.length * WARM_UP));

/** From its beginning to its end, less what may be noise. */
const sureRise = ({ slope, error, span }: Line): number => Math.max(0, (slope - ERRORS * error) * span);

function verdict(series: Series, unit: string, limit: number, value: number): Judged {
  return { series, value: Math.max(0, value), unit, limit, broken: value > limit };
}
