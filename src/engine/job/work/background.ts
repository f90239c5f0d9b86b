/** Commands that a session of the built-in agent runs in the background. They end with its attempt. */

import { endText } from '../../../core/job/missingTool.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { BackgroundCommand, CommandSession, NotInteractive } from '../../session/commandPorts.ts';
import type { BackgroundCommands, BackgroundLook } from '../../session/ports.ts';

/** Starts a command with the reach of the session's role. */
export type StartCommand = (command: string, session: CommandSession) => Promise<BackgroundCommand | NotInteractive>;

export interface Background extends BackgroundCommands {
  /** Whether one of them runs. */
  isBusy(): boolean;
  /** One line for each command that ended and that the model was not shown since. Each end is reported once. */
  news(): readonly string[];
  /** Ends all background commands. Resolves when they and their child processes have ended. `why` is shown to the model. */
  stopAll(why: string): Promise<void>;
}

const MAX_RUNNING = 8;
/** Limit for one session, because each command keeps a file. */
const MAX_STARTED = 100;

/** The answer for a command that an earlier process of the session started. */
const GONE: BackgroundLook = {
  output: '',
  seconds: 0,
  end: { exitCode: null, ended: null, notes: [], why: 'this session was interrupted and resumed' },
};

interface Started {
  readonly id: number;
  readonly command: BackgroundCommand;
  /** Monotonic time. */
  readonly startedAt: number;
  /** Whether the model was shown its end. */
  isShown: boolean;
  why: string | null;
}

/** `first` is the number of the first command, after those of an earlier process. */
export function backgroundCommands(
  clock: Clock,
  enter: () => CommandSession,
  start: StartCommand,
  first: number,
): Background {
  const all: Started[] = [];
  const running = (): Started[] => all.filter(({ command }) => command.end === null);

  /** Resolves at the next output, at the end, or after `ms`; whether it took that long. */
  async function waited(command: BackgroundCommand, ms: number, signal: AbortSignal): Promise<boolean> {
    const done = new AbortController();
    const pause = clock.sleep(ms, AbortSignal.any([signal, done.signal])).then(() => true);
    // A rejected sleep means that a signal fired. The caller's signal is checked below.
    const isOver = await Promise.race([command.changed().then(() => false), pause.catch(() => true)]);
    done.abort();
    signal.throwIfAborted();
    return isOver;
  }

  async function look(one: Started, waitMs: number, signal: AbortSignal): Promise<BackgroundLook> {
    const { command, why } = one;
    const deadline = clock.monotonic() + waitMs;
    let output = command.take();
    while (output === '' && command.end === null && clock.monotonic() < deadline) {
      if (await waited(command, deadline - clock.monotonic(), signal)) break;
      output = command.take();
    }
    const { end } = command;
    const seconds = Math.round((clock.monotonic() - one.startedAt) / 1_000);
    const rest = command.take();
    return { output: output + rest, kept: command.whole(), seconds, end: end === null ? null : { ...end, why } };
  }

  return {
    async start(command) {
      if (running().length >= MAX_RUNNING) return { refused: `${MAX_RUNNING} background commands run: stop one first` };
      if (all.length >= MAX_STARTED) return { refused: `a session may start ${MAX_STARTED} background commands` };
      const session = enter();
      const started = await start(command, session);
      if ('ended' in started) return { refused: started.why };
      const id = first + all.length;
      all.push({ id, command: started, startedAt: clock.monotonic(), isShown: false, why: null });
      return { id, sharesNetwork: session.sharesNetwork() };
    },
    async look(id, { waitMs, stop, signal }) {
      const one = all.find((each) => each.id === id);
      if (one === undefined) return id >= 1 && id < first ? GONE : null;
      if (stop && one.command.end === null) await one.command.stop();
      const seen = await look(one, waitMs, signal);
      one.isShown = seen.end !== null;
      return seen;
    },
    isBusy: () => running().length > 0,
    news: () =>
      all.flatMap((one) => {
        const { end } = one.command;
        if (end === null || one.isShown) return [];
        one.isShown = true;
        return [`background command ${one.id} ended: ${one.why ?? endText(end)}`];
      }),
    stopAll: async (why) => {
      const left = running();
      for (const one of left) one.why = why;
      await Promise.all(left.map(({ command }) => command.stop()));
    },
  };
}
