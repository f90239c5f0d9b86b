/** `doctor`: what is missing on this machine, and how to get it. */
import { type Context, print } from '../context.ts';
import { visibleLine } from '../text/visible.ts';

export async function doctorVerb(context: Context): Promise<number> {
  const checks = await context.deps.diagnose(context.projectDir);
  const lines = checks.flatMap(({ name, ok, detail, fix }) => {
    const mark = context.paint(ok ? 'ok     ' : 'MISSING', ok ? 'good' : 'bad');
    const line = `${mark}  ${visibleLine(name)}: ${visibleLine(detail)}`;
    return fix === null || fix === '' ? [line] : [line, `         ${visibleLine(fix)}`];
  });
  const ok = checks.every((check) => check.ok);
  print(context, { ok, checks }, lines.join('\n'));
  return ok ? 0 : 1;
}
