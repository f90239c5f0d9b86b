/** `models check`: what a job with a model would need, before it is filed. */
import type { Diagnostic } from '../../shared/diagnostic.ts';
import { type Context, print } from '../screen/context.ts';
import { usage } from '../text/parse.ts';
import { visibleLine } from '../text/visible.ts';

export interface CheckOptions {
  readonly all?: true;
  readonly report?: true;
}

export async function checkVerb(context: Context, model: string | undefined, options: CheckOptions): Promise<number> {
  const { all } = options;
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
  if (options.report === true) lines.unshift(...(await reportHead(context, names)));
  print(context, { ok, checked }, lines.length === 0 ? 'There are no connections.' : lines.join('\n'));
  return ok ? 0 : 1;
}

function lineOf(context: Context, { name, ok, isUnknown, detail, fix }: Diagnostic): string[] {
  const mark = isUnknown
    ? context.paint('unknown', 'faint')
    : context.paint(ok ? 'ok     ' : 'FAILED ', ok ? 'good' : 'bad');
  const line = `${mark}  ${visibleLine(name)}: ${visibleLine(detail)}`;
  return fix === '' ? [line] : [line, `         ${visibleLine(fix)}`];
}

/** For a report of a fault: no key, no value of a header, and of the address only the host. */
async function reportHead(context: Context, names: readonly string[]): Promise<string[]> {
  const { connections } = await context.workspace.model.list();
  const own = connections.filter(({ connection }) => names.some((name) => name.split('/')[0] === connection.name));
  return [
    `Autonomous ${context.deps.version}, Node ${process.version}, ${process.platform}`,
    ...own.map(({ connection: { preset, wire, baseUrl, auth, headers }, key }) => {
      const named = Object.keys(headers);
      const sent = named.length === 0 ? '' : `, headers ${named.join(', ')}`;
      return visibleLine(`${preset ?? 'no preset'}: ${wire} at ${new URL(baseUrl).host}, ${auth}, key ${key}${sent}`);
    }),
  ];
}
