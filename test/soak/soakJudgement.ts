/** What the samples of a soak must be like after its warm-up: each series with its rule, and what it comes to. */
import { type Line, lineThrough, type Point } from './soakFit.ts';
import type { ThreadSample } from './soakPreload.ts';
import type { Sample } from './soakProbe.ts';

/** Of a run: a program that begins is not at its steady state yet, and is killed now and then meanwhile. */
export const WARM_UP = 1 / 3;
/** How sure a rise must be: so many standard errors of its slope. */
const ERRORS = 2;
const MOST_GROWTH = 10;
/** Descriptors, threads and the like may be this many more at the end: what is at work just then. */
const MOST_MORE = 2;

type Rule =
  /** Grows by less than so many percent. */
  | { readonly rule: 'grows'; readonly percent: number }
  /** Rises by no more than so many. */
  | { readonly rule: 'flat'; readonly most: number }
  /** Never more. */
  | { readonly rule: 'under'; readonly most: number }
  /** For each finished job as much in the second half as in the first. */
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

/** The whole of a run; those of the warm-up are only shown. */
export function seriesOf(samples: readonly Sample[], lines: readonly ThreadSample[], ceilingBytes: number): Series[] {
  const threads = Map.groupBy(lines, ({ pid, nth }) => `${pid} ${nth}`);
  const points = (pick: (sample: Sample) => number | null, at = (sample: Sample) => sample.seconds): Point[] =>
    samples.flatMap((sample) => {
      const y = pick(sample);
      return y === null ? [] : [{ x: at(sample), y }];
    });
  /** The mean of the threads that answered: a busy one may be late. */
  const inside = (owner: boolean, pick: (line: ThreadSample) => number): Point[] =>
    points(({ pid, nth }) => {
      const said = (threads.get(`${pid} ${nth}`) ?? []).filter(({ thread }) => (thread === '') === owner);
      return said.length === 0 ? null : said.reduce((sum, line) => sum + pick(line), 0) / said.length;
    });
  const flat = (name: string, all: readonly Point[]): Series => ({
    name,
    unit: '',
    rule: { rule: 'flat', most: MOST_MORE },
    points: all,
  });
  const grows: Rule = { rule: 'grows', percent: MOST_GROWTH };
  const heap = ({ heapBytes }: ThreadSample): number => heapBytes / MB;
  return [
    { name: 'heap of the owner', unit: 'MB', rule: grows, points: inside(true, heap) },
    { name: 'heap of a worker thread', unit: 'MB', rule: grows, points: inside(false, heap) },
    {
      name: 'memory of the process (RSS)',
      unit: 'MB',
      rule: { rule: 'shown' },
      points: points((s) => s.rssBytes / MB),
    },
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
      rule: { rule: 'even', percent: MOST_GROWTH },
      points: points(
        (s) => s.stateBytes / KB,
        (s) => s.finishedJobs,
      ),
    },
  ];
}

/** null: it was too short to tell. The warm-up counts nothing. */
export function judge(series: Series): Judged | null {
  const { rule, unit } = series;
  const points = series.points.slice(Math.ceil(series.points.length * WARM_UP));
  switch (rule.rule) {
    case 'grows': {
      const line = lineThrough(points);
      return line && verdict(series, '%', rule.percent, (sureRise(line) * 100) / line.begin);
    }
    case 'flat': {
      const line = lineThrough(points);
      return line && verdict(series, '', rule.most, sureRise(line));
    }
    case 'even': {
      const half = Math.floor(points.length / 2);
      const [first, second] = [lineThrough(points.slice(0, half)), lineThrough(points.slice(half))];
      if (first === null || second === null || first.slope <= 0) return null;
      const sure = second.slope - first.slope - ERRORS * Math.hypot(first.error, second.error);
      return verdict(series, '%', rule.percent, (sure * 100) / first.slope);
    }
    case 'under':
      return verdict(series, unit, rule.most, Math.max(...points.map(({ y }) => y)));
    case 'shown':
      return { series, value: points.at(-1)?.y ?? 0, unit, limit: null, broken: false };
  }
}

/** From its beginning to its end, less what may be noise. */
const sureRise = ({ slope, error, span }: Line): number => Math.max(0, (slope - ERRORS * error) * span);

function verdict(series: Series, unit: string, limit: number, value: number): Judged {
  return { series, value: Math.max(0, value), unit, limit, broken: value > limit };
}
