/**
 * Runs the commands of a planner or a reviewer in a disposable checkout of one commit: in the sandbox, without network. What they write
 * reaches neither the clone nor a commit. The steward is never asked for such a command: a session that judges can do without.
 */
import path from 'node:path';
import { need } from '../../../core/state/rows.ts';
import type { SessionCommands } from '../../session/ports.ts';
import { type JobContext, say } from '../context.ts';
import type { SessionShell } from '../jobMemory.ts';
import { disposableTree, removeDisposable } from '../tree/freshTree.ts';
import { jobTree } from '../tree/tree.ts';
import { type FreshFolder, type Reach, runOnce, shownResult } from './commands.ts';

interface JudgeCommands {
  readonly commands: SessionCommands;
  /** Removes the copy. */
  close(): Promise<void>;
}

/** `resumed`: the session ran before, so that a copy may be left of a process that was killed. */
export function judgeCommands(
  context: JobContext,
  given: {
    readonly sessionId: number;
    readonly commit: string;
    readonly resumed: boolean;
    readonly shell: SessionShell;
  },
): JudgeCommands {
  const { sessionId, commit, resumed, shell } = given;
  let folder: FreshFolder | null = null;
  let isMade = resumed;
  /** Shown with the next output. */
  let notice = '';
  const copy = async (): Promise<FreshFolder> => {
    if (folder !== null) return folder;
    say(context, `making a disposable copy of ${commit.slice(0, 12)}`, { sessionId });
    isMade = true;
    const made = await disposableTree(context, commit);
    const restored = resumed ? '[The copy was created again: it has no files that earlier commands wrote.]\n' : '';
    notice =
      made.missing === null ? restored : `${restored}[Dependencies may be missing in the copy: ${made.missing}.]\n`;
    folder = made.folder;
    return folder;
  };
  return {
    commands: {
      background: shell.background(async (command, session) =>
        context.commands.start({ ...reachIn(context, await copy()), command, session, signal: context.signal }),
      ),
      run: async (command, options) => {
        const reach = reachIn(context, await copy());
        const session = shell.enter();
        const result = await runOnce(context, command, reach, { ...options, session, network: 'none' });
        const { exitCode, ended } = result;
        if (ended === 'refused') return { exitCode, ended, output: refusal(context) };
        const shown = shownResult({ ...result, output: `${notice}${result.output}` }, shell);
        notice = '';
        return shown;
      },
    },
    close: async () => {
      if (isMade) await removeDisposable(context);
    },
  };
}

function reachIn(context: JobContext, { tree, home }: FreshFolder): Reach {
  const job = need(context.store.state, 'jobs', context.jobId);
  return {
    cwd: tree,
    writable: [tree, home],
    readable: [path.join(jobTree(context.projectDir, job).gitDir, 'objects')],
    home: 'reader',
    env: { HOME: home },
  };
}

function refusal({ store, jobId }: JobContext): string {
  const allowed = need(store.state, 'jobs', jobId).options.allowedCommands.map((argv) => `\`${argv.join(' ')}\``);
  const instead = allowed.length === 0 ? 'none' : allowed.join(', ');
  return `This machine has no sandbox, so only commands that the job allows run here: ${instead}. No person is asked. Continue with what you can read.`;
}
