/** A time axis that shortens the times in which nothing works, such as a night without an answer. */
import type { TimelineSpan } from '../../../shared/job/timeline.ts';

type Times = Pick<TimelineSpan, 'from' | 'to'>;
type Place = Pick<TimelineSpan, 'left' | 'width'>;

export interface Axis {
  place(times: Times): Place;
  readonly breaks: readonly (Times & Place)[];
}

/** A gap is shortened to this part of the work if it is longer, and lasts a minute. */
const SHORTENED = 0.06;
const SHORTEST_MS = 60_000;
/** The shortened gaps take at most this part of the axis. */
const MOST_SHORTENED = 0.3;

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly isGap: boolean;
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** `busy` need not be in order, and may overlap. */
export function axisOf(from: string, to: string, busy: readonly Times[]): Axis {
  const pieces = piecesOf(Date.parse(from), Date.parse(to), busy);
  const worked = sum(pieces.filter(({ isGap }) => !isGap).map(length));
  const isLong = (piece: Piece): boolean => piece.isGap && length(piece) > Math.max(SHORTEST_MS, SHORTENED * worked);
  const long = pieces.filter(isLong).length;
  const linear = sum(pieces.filter((piece) => !isLong(piece)).map(length));
  const short = long === 0 ? 0 : Math.min(SHORTENED * worked, (linear * MOST_SHORTENED) / (1 - MOST_SHORTENED) / long);
  const whole = linear + long * short || 1;
  let end = 0;
  const scaled = pieces.map((piece) => {
    const left = end;
    end += (isLong(piece) ? short : length(piece)) / whole;
    return { ...piece, left, width: end - left };
  });
  const at = (time: string): number => {
    const ms = Date.parse(time);
    const piece = scaled.find((one) => ms <= one.to) ?? scaled.at(-1);
    if (piece === undefined || ms <= piece.from) return piece?.left ?? 0;
    return piece.left + piece.width * Math.min(1, (ms - piece.from) / (length(piece) || 1));
  };
  return {
    place: (times) => ({ left: at(times.from), width: Math.max(0, at(times.to) - at(times.from)) }),
    breaks: scaled
      .filter(isLong)
      .map(({ left, width, ...piece }) => ({ from: iso(piece.from), to: iso(piece.to), left, width })),
  };
}

const length = ({ from, to }: Piece): number => to - from;
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** The axis as times with work and gaps, by turns. */
function piecesOf(from: number, to: number, busy: readonly Times[]): Piece[] {
  const pieces: Piece[] = [];
  let end = from;
  const works = busy.map((one) => ({ from: Date.parse(one.from), to: Date.parse(one.to) }));
  for (const one of works.sort((a, b) => a.from - b.from)) {
    if (one.from > end) pieces.push({ from: end, to: one.from, isGap: true });
    if (one.to > end) pieces.push({ from: Math.max(end, one.from), to: one.to, isGap: false });
    end = Math.max(end, one.to);
  }
  if (to > end) pieces.push({ from: end, to, isGap: true });
  return pieces;
}
