/** `models check`: what a job with a model would need, before it is filed. */
import type { Diagnostic } from '../../shared/diagnostic.ts';
import { type Context, print } from '../screen/context.ts';
import { usage } from '../text/parse.ts';
import { visibleLine } from '../text/visible.ts';

export interface CheckOptions {
  readonly all?: true;
}

export async function checkVerb(context: Context, model: string | undefined, { all }: CheckOptions): Promise<number> {
  if ((model === undefined) !== (all === true)) throw usage('name a connection, a model (connection/model), or --all');
  const names =
    model === undefined
      ? (await context.workspace.model.list()).connections.map(({ connection }) => connection.name)
      : [model];
  const checked = await Promise.all(
    names.map(async (name) => ({ name, checks: await context.workspace.model.check(name) })),
  );
  const ok = checked.every(({ checks }) => checks.every((check) => check.ok));
  const lines = checked.flatMap(({ name, checks }) => [
    context.paint(visibleLine(name), 'strong'),
    ...checks.flatMap((check) => lineOf(context, check)),
  ]);
  print(context, { ok, checked }, lines.length === 0 ? 'There are no connections.' : lines.join('\n'));
  return ok ? 0 : 1;
}

function lineOf(context: Context, { name, ok, detail, fix }: Diagnostic): string[] {
  const mark = context.paint(ok ? 'ok     ' : 'MISSING', ok ? 'good' : 'bad');
  const line = `${mark}  ${visibleLine(name)}: ${visibleLine(detail)}`;
  return fix === '' ? [line] : [line, `         ${visibleLine(fix)}`];
}
