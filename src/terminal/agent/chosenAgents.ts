/** A look at agents as they are chosen: what one lacks is known before its job has cost anything. */

import type { Executors } from '../../shared/agent/executorSchemas.ts';
import { type AgentProbe, BUILT_IN } from '../../shared/agent/executors.ts';
import type { Context } from '../screen/context.ts';
import { visibleLine } from '../text/visible.ts';

/** One line each on the error output: which version, what it can do, what it lacks; or what is wrong and what to do. */
export async function lookAtChosen(context: Context, executors: Executors | readonly string[]): Promise<void> {
  const names = [...new Set(Object.values(executors))].filter((name) => name !== BUILT_IN);
  const looked = await Promise.all(names.map((name) => context.workspace.agent.look({ name })));
  // A name that nobody knows is refused with the request.
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
