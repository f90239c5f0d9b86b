/** Holds the shared resources of one built-in session's commands. Its folders are created at the first command. */

import { sep } from 'node:path';
import { wayBelow, wayInScratch } from '../../../core/session/scratchPath.ts';
import { isFields } from '../../../core/text/json.ts';
import type { CommandSession } from '../../session/commandPorts.ts';
import type { TranscriptEntry } from '../../session/ports.ts';
import type { JobContext } from '../context.ts';
import type { SessionShell } from '../jobMemory.ts';
import { type Background, backgroundCommands } from './background.ts';

/** The folders of an earlier attempt of the same conversation, and how to keep them at the end. */
interface Scratch {
  readonly kept: CommandSession | null;
  leave(session: CommandSession): Promise<void>;
}

/** The note to the model about a shell that is not bash. */
const NO_BASH: Readonly<Record<CommandSession['shell'], string | null>> = {
  bash: null,
  sh: 'bash is not installed here: commands run by sh',
  pwsh: 'bash is not installed here: commands run by PowerShell (pwsh) on Windows, so write them for it',
  cmd: 'bash is not installed here: commands run by cmd.exe on Windows, so write them for it',
};
const RESUMED = 'this session was resumed';
const EMPTY_AGAIN = '$TMPDIR is empty again';
const NONE_RUNS = 'none of its background commands runs';
const ENDED = 'the background commands of the last attempt ended with it';

/** Removes the folders at the end of the session. */
const REMOVED: Scratch = { kept: null, leave: (session) => session.close() };

/** `entries`: the journal of the session when it was opened. */
export function sessionShell(
  context: Pick<JobContext, 'clock' | 'commands' | 'memory' | 'openTree'>,
  { workdir, entries }: { readonly workdir: string; readonly entries: readonly TranscriptEntry[] },
  { kept, leave }: Scratch = REMOVED,
): SessionShell {
  const { shells } = context.memory;
  let session: CommandSession | null = kept;
  let background: Background | null = null;
  const calls = entries.flatMap(callsOf);
  const before = calls.filter(({ name, input }) => name === 'bash' && input['run_in_background'] === true).length;
  const news = kept === null ? lost(calls, before > 0) : before > 0 ? [ENDED] : [];
  const enter = (): CommandSession => {
    if (session !== null) return session;
    session = context.commands.openSession();
    const other = NO_BASH[session.shell];
    if (other !== null) news.push(other);
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
      const way = wayInScratch(path, { workdir, tmp }, sep);
      if (way !== null) return { files: context.openTree(tmp), path: way };
      const wayInOutput = wayBelow(path, output, sep);
      return wayInOutput === null ? null : { files: context.openTree(output), path: wayInOutput };
    },
    close: async () => {
      await quiet('the session ended');
      shells.delete(shell);
      if (session !== null) await leave(session);
      session = null;
    },
  };
  shells.add(shell);
  return shell;
}

interface Call {
  readonly name: unknown;
  readonly input: Record<string, unknown>;
}

/** The calls of tools in an entry. */
function callsOf(entry: TranscriptEntry): Call[] {
  if (entry.kind !== 'reply' || !isFields(entry.message)) return [];
  const { content } = entry.message;
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) =>
    isFields(block) && isFields(block['input']) ? [{ name: block['name'], input: block['input'] }] : [],
  );
}

/** Lists what the model may remember and no longer exists. It does not know a scratch folder that none of its calls names. */
function lost(calls: readonly Call[], hadBackground: boolean): string[] {
  const knowsScratch = calls.some(({ input }) => /TMPDIR|tmp/i.test(JSON.stringify(input)));
  const parts = [...(knowsScratch ? [EMPTY_AGAIN] : []), ...(hadBackground ? [NONE_RUNS] : [])];
  return parts.length === 0 ? [] : [`${RESUMED}: ${parts.join(', and ')}`];
}

/** Ends the background commands of a job's sessions. Call it before the tree is committed or the clone's git is replaced. */
export async function quietShells({ memory }: Pick<JobContext, 'memory'>, why: string): Promise<void> {
  for (const shell of memory.shells) await shell.quiet(why);
}

/** Whether a command in the background may change the tree at any time. */
export const isShellBusy = ({ memory }: Pick<JobContext, 'memory'>): boolean =>
  [...memory.shells].some((shell) => shell.isBusy());
