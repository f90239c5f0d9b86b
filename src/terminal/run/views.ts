/** Where a run shows itself: lines, a redrawn region under scrolling lines, or one JSON object a line. */
import type { Event } from '../../shared/events.ts';
import type { LiveLine } from '../../shared/live.ts';
import type { State } from '../../shared/state.ts';
import type { Context } from '../context.ts';
import type { Tone } from '../text/paint.ts';
import { eventJob } from './eventJob.ts';
import { eventLine } from './eventLine.ts';
import { progressLines } from './progress.ts';
import { createScreen } from './screen.ts';

export interface RunView {
  /** `state` is after the event. */
  event(event: Event, state: State): void;
  live(line: LiveLine): void;
  /** Visible text for a person, maybe of several lines. */
  say(text: string, tone?: Tone): void;
  /** What must not be overlooked, whatever the form of the output. */
  warn(text: string): void;
  /** Nothing is written until the release: a question is open. */
  hold(): void;
  release(): void;
  end(): void;
}

export function runView(context: Context, jobId: string, state: () => State): RunView {
  if (context.json) return jsonView(context, jobId);
  return context.deps.io.isTTY ? regionView(context, jobId, state) : lineView(context, jobId);
}

function nothing(): void {
  // A form of output without a region has nothing to do here.
}

/** NDJSON of the job's events, `{"version":1,…event}`. Text for people is left out; warnings go to the error stream. */
function jsonView({ deps: { io } }: Context, jobId: string): RunView {
  return {
    event(event, state) {
      if (eventJob(event, state) === jobId) io.out(`${JSON.stringify({ version: 1, ...event })}\n`);
    },
    live: nothing,
    say: nothing,
    warn: (text) => io.err(`${text}\n`),
    hold: nothing,
    release: nothing,
    end: nothing,
  };
}

function lineView(context: Context, jobId: string): RunView {
  const { io, clock } = context.deps;
  const say = (text: string, tone: Tone = 'plain'): void => io.out(`${context.paint(text, tone)}\n`);
  return {
    event(event, state) {
      if (eventJob(event, state) !== jobId) return;
      const line = eventLine(event, state, clock);
      if (line !== null) say(line.text, line.tone);
    },
    live: nothing,
    say,
    warn: say,
    hold: nothing,
    release: nothing,
    end: nothing,
  };
}

const FRAME_MS = 80;
const TICK_MS = 1000;

function regionView(context: Context, jobId: string, state: () => State): RunView {
  const { io, clock } = context.deps;
  const screen = createScreen(io);
  const begun = clock.monotonic();
  let scrolled: string[] = [];
  let live: LiveLine | null = null;
  let held = false;
  let ended = false;
  let cancel: (() => void) | null = null;

  const region = (): string[] => {
    const width = Math.max(1, io.columns - 1);
    const progress = {
      state: state(),
      jobId,
      live,
      elapsedMs: clock.monotonic() - begun,
      clock,
      width,
      paint: context.paint,
    };
    return progressLines(progress).slice(0, Math.max(1, io.rows - 1));
  };
  const draw = (): void => {
    cancel?.();
    screen.draw(scrolled, held || ended ? [] : region());
    scrolled = [];
    cancel = held || ended ? null : clock.timer(TICK_MS, draw);
  };
  const soon = (): void => {
    if (held || ended) return;
    cancel?.();
    cancel = clock.timer(FRAME_MS, draw);
  };
  const say = (text: string, tone: Tone = 'plain'): void => {
    scrolled.push(...text.split('\n').map((line) => context.paint(line, tone)));
    if (!held) draw();
  };

  return {
    event(event, after) {
      if (eventJob(event, after) !== jobId) return;
      if (event.type === 'attempt_started' || event.type === 'attempt_ended') live = null;
      const line = eventLine(event, after, clock);
      if (line === null) soon();
      else say(line.text, line.tone);
    },
    live(line) {
      // Without a job it concerns all of them.
      if (line.jobId !== jobId && line.jobId !== '') return;
      live = line;
      soon();
    },
    say,
    warn: (text) => say(text, 'plain'),
    hold() {
      held = true;
      draw();
    },
    release() {
      held = false;
      draw();
    },
    end() {
      ended = true;
      draw();
    },
  };
}
