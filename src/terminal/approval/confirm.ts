/** Asks about files that would execute on the user's machine, one list after the other. */

import type { Context } from '../screen/context.ts';
import { prompt } from '../screen/prompt.ts';
import { plural } from '../text/format.ts';
import { visibleLine } from '../text/visible.ts';
import { executableGroups } from './approvalText.ts';

/** True when every list got an explicit yes. Rejects when `signal` aborts. */
export async function confirmExecutables(
  context: Context,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const { io } = context.deps;
  for (const { title, paths: group } of executableGroups(paths)) {
    io.out(
      `${title}, which would execute on your machine:\n${group.map((path) => `    ${visibleLine(path)}\n`).join('')}`,
    );
    const answer = await prompt(context, `Did you look at ${plural(group.length, 'file')}, and merge? [y/N] `, signal);
    if (!/^y(es)?$/i.test(answer ?? '')) return false;
  }
  return true;
}
