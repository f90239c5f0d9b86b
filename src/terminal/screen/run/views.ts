/** Output forms of a run: lines, a redrawn region under scrolling lines, or one JSON object per line. */
import { jobApprovals } from '../../../core/state/rows.ts';
import type { LiveLine } from '../../../shared/live.ts';
import type { Waiting } from '../../../shared/waiting.ts';
import type { Event } from '../../../shared/workspace/events.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { Line, Tone } from '../../text/paint.ts';
import type { Context } from '../context.ts';
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
  /** A wait that started. Null for one that ended. `text` is its line. */
  waiting(waiting: Waiting | null, text: string): void;
  /** Shows a text in every output format. */
  warn(text: string): void;
  /** Holds all output until the release, because a question is open. */
  hold(): void;
  release(): void;
  end(): void;
}

/** The followed job or task: its events and their format. */
export interface Shown {
  /** `state` is after the event, here and below. */
  concerns(event: Event, state: State): boolean;
  /** The JSON form of an event that concerns it, one object per line. */
  json(event: Event, state: State): readonly object[];
  line(event: Event, state: State): Line | null;
  takes(line: LiveLine): boolean;
  /** The redrawn lines, none wider than `width`. */
  region(now: Now): string[];
}

export interface Now {
  readonly live: LiveLine | null;
  /** Time since the start of the view, milliseconds. */
  readonly elapsedMs: number;
  readonly width: number;
}

export function viewOf(context: Context, shown: Shown): RunView {
  if (context.json) return jsonView(context, shown);
  return context.deps.io.isTTY ? regionView(context, shown) : lineView(context, shown);
}

export function runView(context: Context, jobId: string, state: () => State): RunView {
  const { clock } = context.deps;
  return viewOf(context, {
    concerns: (event, after) => eventJob(event, after) === jobId,
    json: (event) => [event],
    line: (event, after) => (isShownAsQuestion(event, after) ? null : eventLine(event, after, context)),
    // An event without a job concerns every job.
    takes: (line) => line.jobId === jobId || line.jobId === '',
    region: (now) => progressLines({ ...now, state: state(), jobId, clock, paint: context.paint }),
  });
}

/** Whether a job is waiting for an open question, which the run shows in full or answers automatically. */
const isShownAsQuestion = (event: Event, state: State): boolean =>
  event.type === 'job_awaiting' &&
  jobApprovals(state, event.job_id).some(({ status, question }) => status === 'pending' && question === event.reason);

function nothing(): void {
  // A form of output without a region has no work here.
}

/** NDJSON, each with its version. Text for people is left out; warnings go to the error stream. */
function jsonView({ deps: { io } }: Context, shown: Shown): RunView {
  return {
    event(event, state) {
      if (!shown.concerns(event, state)) return;
      for (const part of shown.json(event, state)) io.out(`${JSON.stringify({ version: 1, ...part })}\n`);
    },
    live: nothing,
    say: nothing,
    waiting: (waiting) => io.out(`${JSON.stringify({ version: 1, type: 'waiting', waiting })}\n`),
    warn: (text) => io.err(`${text}\n`),
    hold: nothing,
    release: nothing,
    end: nothing,
  };
}

function lineView(context: Context, shown: Shown): RunView {
  const { io } = context.deps;
  const say = (text: string, tone: Tone = 'plain'): void => io.out(`${context.paint(text, tone)}\n`);
  return {
    event(event, state) {
      if (!shown.concerns(event, state)) return;
      const line = shown.line(event, state);
      if (line !== null) say(line.text, line.tone);
    },
    live: nothing,
    say,
    waiting: (waiting, text) => say(text, waiting === null ? 'plain' : 'warning'),
    warn: say,
    hold: nothing,
    release: nothing,
    end: nothing,
  };
}

const FRAME_MS = 80;
const TICK_MS = 1000;

function regionView(context: Context, shown: Shown): RunView {
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
    const lines = shown.region({ live, elapsedMs: clock.monotonic() - begun, width });
    return lines.slice(0, Math.max(1, io.rows - 1));
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
      if (!shown.concerns(event, after)) return;
      if (event.type === 'attempt_started' || event.type === 'attempt_ended') live = null;
      const line = shown.line(event, after);
      if (line === null) soon();
      else say(line.text, line.tone);
    },
    live(line) {
      if (!shown.takes(line)) return;
      live = line;
      soon();
    },
    say,
    waiting: (waiting, text) => say(text, waiting === null ? 'plain' : 'warning'),
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
