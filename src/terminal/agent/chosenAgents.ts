/** Checks agents when they are chosen, so that a missing part is known before the job costs money. */

import type { Executors } from '../../shared/agent/executorSchemas.ts';
import { type AgentProbe, BUILT_IN } from '../../shared/agent/executors.ts';
import type { Context } from '../screen/context.ts';
import { visibleLine } from '../text/visible.ts';

/** Prints one line each on the error output: version, abilities and missing parts, or the fault and its fix. */
export async function lookAtChosen(context: Context, executors: Executors | readonly string[]): Promise<void> {
  const names = [...new Set(Object.values(executors))].filter((name) => name !== BUILT_IN);
  const looked = await Promise.all(names.map((name) => context.workspace.agent.look({ name })));
  // The request refuses an unknown name.
  for (const { probe } of looked.flatMap(({ agents }) => agents)) {
    context.deps.io.err(`${lineOf(context, probe)}\n`);
  }
}

function lineOf(context: Context, { name, state, detail, fix, version, protocol, can, lacks }: AgentProbe): string {
  if (state !== 'ready') {
    const text = [`${name} is not ready: ${detail.replace(/\.$/, '')}`, fix].filter((part) => part !== '').join('. ');
    return context.paint(visibleLine(text), 'warning');
  }
  const which = [name, version, protocol === null ? null : `(ACP ${protocol})`].filter((part) => part !== null);
  const lacking = lacks.length === 0 ? [] : [`lacks ${lacks.join(', ')}`];
  return visibleLine(`${which.join(' ')}: ${[...can, ...lacking].join(', ')}`);
}
