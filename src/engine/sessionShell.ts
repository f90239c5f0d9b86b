/** What the commands of one session of the built-in agent share, made at its first command. */
import type { ScratchFile, TranscriptEntry } from '../agent/ports.ts';
import { wayInScratch } from '../core/scratchPath.ts';
import type { JobContext } from './context.ts';
import type { CommandSession } from './ports.ts';

export interface SessionShell {
  /** For each command of the session. */
  enter(): CommandSession;
  /** What the model must know about the commands before, once; empty if there is nothing. */
  news(): readonly string[];
  /** The file of the scratch folder, or the whole output, that a path means; null if it means none. */
  scratchFile(path: string): ScratchFile | null;
  close(): Promise<void>;
}

const NO_BASH = 'bash is not installed here: commands run by sh';
const EMPTY_AGAIN = 'this session was resumed: $TMPDIR is empty again';

/** `entries`: the journal of the session when it was opened. */
export function sessionShell(
  context: Pick<JobContext, 'commands' | 'openTree'>,
  { workdir, entries }: { readonly workdir: string; readonly entries: readonly TranscriptEntry[] },
): SessionShell {
  let session: CommandSession | null = null;
  const news = entries.some(ranCommand) ? [EMPTY_AGAIN] : [];
  return {
    enter: () => {
      if (session !== null) return session;
      session = context.commands.openSession();
      if (session.shell === 'sh') news.push(NO_BASH);
      return session;
    },
    news: () => news.splice(0),
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
      await session?.close();
      session = null;
    },
  };
}

function ranCommand(entry: TranscriptEntry): boolean {
  if (entry.kind !== 'reply') return false;
  const content = (entry.message as { readonly content?: unknown } | null)?.content;
  return Array.isArray(content) && content.some((block: { readonly name?: unknown } | null) => block?.name === 'bash');
}
