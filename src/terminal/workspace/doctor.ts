/** `doctor`: checks this machine for missing parts and shows the fixes. */
import { isShortKey } from '../../core/guard/knownSecrets.ts';
import type { KeyFound } from '../../shared/diagnostic.ts';
import { type Context, print } from '../screen/context.ts';
import type { TerminalDeps } from '../screen/world.ts';
import { visibleLine } from '../text/visible.ts';

export interface DoctorOptions {
  readonly restore?: true;
}

export async function doctorVerb(context: Context, { restore }: DoctorOptions = {}): Promise<number> {
  if (restore === true) return restoreVerb(context);

  const checks = await context.workspace.diagnose({ key: keyOf(context.deps.env), provider: 'anthropic' });
  const lines = checks.flatMap(({ name, ok, isUnknown = false, detail, fix }) => {
    const mark = isUnknown ? 'unknown' : context.paint(ok ? 'ok     ' : 'MISSING', ok ? 'good' : 'bad');
    const line = `${mark}  ${visibleLine(name)}: ${visibleLine(detail)}`;
    return fix === '' ? [line] : [line, `         ${visibleLine(fix)}`];
  });
  const ok = checks.every((check) => check.ok);
  print(context, { ok, checks }, lines.join('\n'));
  return ok ? 0 : 1;
}

/** The terminal knows no other key than its environment's. */
export function keyOf(env: TerminalDeps['env']): KeyFound {
  const key = env['ANTHROPIC_API_KEY'] ?? '';
  return { source: key === '' ? 'none' : 'environment', short: isShortKey(key) };
}

async function restoreVerb(context: Context): Promise<number> {
  const restored = await context.workspace.restoreState();
  if (restored === null) {
    print(context, { restored }, 'Nothing to restore: the event log is complete.');
    return 0;
  }
  const { found, known, source, taken } = restored;
  const text = [
    `Events ${found + 1} to ${known} were lost.`,
    taken
      ? 'The rows that the database has are restored.'
      : 'The database has no rows of them; work continues without them.',
    ...(source === null ? [] : [`A copy of the database is kept as .autonomous/${source}.`]),
  ].join(' ');
  print(context, { restored }, visibleLine(text));
  return 0;
}
