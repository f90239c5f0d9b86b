/** Holds what the commands of one session of the built-in agent share. Its folders are made at the first command. */
import type { BackgroundCommands, ScratchFile, TranscriptEntry } from '../agent/ports.ts';
import { isFields } from '../core/json.ts';
import { wayInScratch } from '../core/scratchPath.ts';
import { type Background, backgroundCommands, type StartCommand } from './background.ts';
import type { CommandSession } from './commandPorts.ts';
import type { JobContext } from './context.ts';

export interface SessionShell {
  /** For each command of the session. */
  enter(): CommandSession;
  /** Commands in the background, started by `start`. Call it once. */
  background(start: StartCommand): BackgroundCommands;
  /** Whether a command runs in the background. */
  isBusy(): boolean;
  /** Ends those commands. Resolves when they and their child processes have ended. `why` is shown to the model. */
  quiet(why: string): Promise<void>;
  /** What the model must know about earlier commands. Each line is returned once. */
  news(): readonly string[];
  /** The file of the scratch folder, or of a whole output, that a path names. Null if it names neither. */
  scratchFile(path: string): ScratchFile | null;
  close(): Promise<void>;
}

const NO_BASH = 'bash is not installed here: commands run by sh';
const EMPTY_AGAIN = 'this session was resumed: $TMPDIR is empty again';
const NONE_RUNS = `${EMPTY_AGAIN}, and none of its background commands runs`;

/** `entries`: the journal of the session when it was opened. */
export function sessionShell(
  context: Pick<JobContext, 'clock' | 'commands' | 'memory' | 'openTree'>,
  { workdir, entries }: { readonly workdir: string; readonly entries: readonly TranscriptEntry[] },
): SessionShell {
  const { shells } = context.memory;
  let session: CommandSession | null = null;
  let background: Background | null = null;
  const calls = entries.flatMap(commandsOf);
  const before = calls.filter(({ run_in_background }) => run_in_background === true).length;
  const news = calls.length === 0 ? [] : [before === 0 ? EMPTY_AGAIN : NONE_RUNS];
  const enter = (): CommandSession => {
    if (session !== null) return session;
    session = context.commands.openSession();
    if (session.shell === 'sh') news.push(NO_BASH);
    return session;
  };
  const quiet = async (why: string): Promise<void> => background?.stopAll(why);
  const shell: SessionShell = {
    enter,
    background: (start) => {
      background = backgroundCommands(context.clock, enter, start, before + 1);
      return background;
    },
    isBusy: () => background?.isBusy() ?? false,
    quiet,
    news: () => [...news.splice(0), ...(background?.news() ?? [])],
    scratchFile: (path) => {
      if (session === null) return null;
      const { tmp, output } = session;
      const way = wayInScratch(path, { workdir, tmp });
      if (way !== null) return { files: context.openTree(tmp), path: way };
      return path.startsWith(`${output}/`)
        ? { files: context.openTree(output), path: path.slice(output.length + 1) }
        : null;
    },
    close: async () => {
      await quiet('the session ended');
      shells.delete(shell);
      await session?.close();
      session = null;
    },
  };
  shells.add(shell);
  return shell;
}

/** Inputs of the calls of `bash` in an entry. */
function commandsOf(entry: TranscriptEntry): Record<string, unknown>[] {
  if (entry.kind !== 'reply' || !isFields(entry.message)) return [];
  const { content } = entry.message;
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) =>
    isFields(block) && block['name'] === 'bash' && isFields(block['input']) ? [block['input']] : [],
  );
}

/** Ends the background commands of a job's sessions. Call it before the tree is committed or the clone's git is replaced. */
export async function quietShells({ memory }: Pick<JobContext, 'memory'>, why: string): Promise<void> {
  for (const shell of memory.shells) await shell.quiet(why);
}

/** Whether a command in the background may change the tree at any time. */
export const isShellBusy = ({ memory }: Pick<JobContext, 'memory'>): boolean =>
  [...memory.shells].some((shell) => shell.isBusy());
