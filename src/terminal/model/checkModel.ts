/** `models check`: what a job with a model would need, before it is filed. */
import type { Diagnostic } from '../../shared/diagnostic.ts';
import type { ListedConnection } from '../../shared/model/connections.ts';
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
  const { connections, faults, file } = await context.workspace.model.list();
  const names = model === undefined ? connections.map(({ connection }) => connection.name) : [model];
  const checked = await Promise.all(
    names.map(async (name) => ({ name, checks: await context.workspace.model.check(name) })),
  );
  const shown = all === true ? faults.map((fault) => `${file}: ${fault}`) : [];
  const ok = shown.length === 0 && checked.every(({ checks }) => checks.every((check) => check.ok));
  const lines = checked.flatMap(({ name, checks }) => [
    context.paint(visibleLine(name), 'strong'),
    ...checks.flatMap((check) => lineOf(context, check)),
  ]);
  lines.push(...shown.map((fault) => context.paint(visibleLine(fault), 'bad')));
  const report = options.report === true ? reportHead(context, connections, names) : [];
  const text = lines.length === 0 ? 'There are no connections.' : [...report, ...lines].join('\n');
  print(context, { ok, checked, faults: shown, ...(options.report === true ? { report } : {}) }, text);
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
function reportHead(context: Context, connections: readonly ListedConnection[], names: readonly string[]): string[] {
  const own = connections.filter(({ connection }) => names.some((name) => name.split('/')[0] === connection.name));
  return [
    `Autonomous ${context.deps.version}, Node ${process.version}, ${process.platform}`,
    ...own.map(({ connection: { name, preset, wire, baseUrl, auth, headers, clientCert }, key }) => {
      const named = Object.keys(headers);
      const sent = named.length === 0 ? '' : `, headers ${named.join(', ')}`;
      const shown = clientCert === null ? '' : ', client certificate';
      const server = `${wire} at ${new URL(baseUrl).host}`;
      return visibleLine(`${name} (${preset ?? 'no preset'}): ${server}, ${auth}, key ${key}${sent}${shown}`);
    }),
  ];
}
