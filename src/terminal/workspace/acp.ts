/** `acp`: a project's conversation for editors that speak the Agent Client Protocol, over stdio. Words go to the error stream. */
import { failure, messageOf } from '../../shared/errors.ts';
import { DEFAULT_PROJECT } from '../../shared/project/projects.ts';
import { editorTalk } from '../project/talk/editorConversation.ts';
import type { Context } from '../screen/context.ts';
import { watchStop } from '../screen/run/stop.ts';
import { visibleLine } from '../text/visible.ts';

export interface AcpOptions {
  readonly project?: string;
}

export async function acpVerb(context: Context, { project = DEFAULT_PROJECT }: AcpOptions): Promise<number> {
  const { deps } = context;
  const stop = watchStop(deps.signals);
  const stopped = new AbortController();
  const forget = deps.signals.onStop(() => stopped.abort(failure('ABORTED', 'stopped')));
  const talk = editorTalk(context, project, stop);
  const failed = (thrown: unknown): void => deps.io.err(`autonomous: ${visibleLine(messageOf(thrown))}\n`);
  try {
    await deps.serveAcp({ talk, failed }, stopped.signal);
    return 0;
  } finally {
    forget();
    await Promise.race([talk.close(), stop.killed]);
    stop.forget();
  }
}
