/** A series as one line of text: how it went from the beginning to the end, from its least to its most. */
import type { Judged } from './soakJudgement.ts';

const COLUMNS = 60;
const STEPS = [...'▁▂▃▄▅▆▇█'];

const short = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1));

export function chartOf({ series: { name, unit, points }, value, unit: by, limit, broken }: Judged): string {
  const ys = points.map(({ y }) => y);
  const [least, most] = [Math.min(...ys), Math.max(...ys)];
  const columns = Math.min(COLUMNS, ys.length);
  const steps = Array.from({ length: columns }, (_, column) => {
    const part = ys.slice((column * ys.length) / columns, ((column + 1) * ys.length) / columns);
    const mean = part.reduce((sum, y) => sum + y, 0) / part.length;
    const height = most === least ? 0 : Math.floor(((mean - least) / (most - least)) * (STEPS.length - 1) + 0.5);
    return STEPS[height];
  });
  const aim = limit === null ? '' : `, at most ${short(limit)}${by}`;
  const told = `${short(value)}${by}${aim}${broken ? ': BROKEN' : ''}`;
  return (
    `${name.padEnd(38)} ${steps.join('').padEnd(COLUMNS)} ${short(least)} to ${short(most)} ${unit}`.trimEnd() +
    `; ${told}`
  );
}
