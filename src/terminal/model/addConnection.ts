/** `models add` and `models remove`: change the user's connections to model servers. */
import { resolve } from 'node:path';
import { AUTHS, keyVariables, type NewConnection, WIRES } from '../../shared/model/connections.ts';
import { type Context, command, print } from '../screen/context.ts';
import { oneOf, usage } from '../text/parse.ts';
import { visibleLine } from '../text/visible.ts';

export interface AddOptions {
  readonly preset?: string;
  readonly wire?: string;
  readonly baseUrl?: string;
  readonly auth?: string;
  readonly keyEnv?: string;
  readonly keyCommand?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  /** Values of each `--header`. */
  readonly header?: readonly string[];
  readonly free?: true;
  /** Values of each `--price`. */
  readonly price?: readonly string[];
  /** Values of each `--window`. */
  readonly window?: readonly string[];
}

const CHANGES = { added: 'Added', changed: 'Changed', unchanged: 'Nothing changes in', replaced: 'Replaced' } as const;

export async function addVerb(context: Context, name: string, options: AddOptions): Promise<number> {
  const { model } = context.workspace;
  const { connection, change, kept, dropped } = await model.add(name, newConnection(options, context.deps.cwd));
  const { title, baseUrl, wire } = connection;
  const listed = (await model.list()).connections.find((one) => one.connection.name === name);
  const variables = keyVariables(connection).map((variable) => `${variable}=KEY`);
  const missing =
    variables.length === 0 ? `Its key is missing: --key-env or --key-command.` : `Key: export ${variables.join(' ')}`;
  const lines = [
    `${CHANGES[change]} the connection ${name} (${visibleLine(title)}): ${visibleLine(baseUrl)}, wire ${wire}.`,
    ...(kept.length === 0 ? [] : [`As before: ${visibleLine(kept.join(', '))}.`]),
    ...(dropped.length === 0 ? [] : [`No longer as before: ${visibleLine(dropped.join(', '))}.`]),
    ...(listed?.key === 'missing' ? [missing] : []),
    `Check it: ${command(context, `models check ${name}/MODEL`)}`,
    `Use it:   ${command(context, `run --model ${name}/MODEL "…"`)}`,
  ];
  const { listed: _, ...shown } = connection;
  print(
    context,
    { connection: { ...shown, headers: Object.keys(connection.headers) }, change, kept, dropped },
    lines.join('\n'),
  );
  return 0;
}

export async function removeVerb(context: Context, name: string): Promise<number> {
  await context.workspace.model.remove(name);
  print(context, { removed: name }, `Removed the connection ${visibleLine(name)}.`);
  return 0;
}

function newConnection(
  { header, price, window, free, wire, auth, clientCert, clientKey, ...rest }: AddOptions,
  cwd: string,
): NewConnection {
  return {
    ...rest,
    ...(clientCert === undefined ? {} : { clientCert: resolve(cwd, clientCert) }),
    ...(clientKey === undefined ? {} : { clientKey: resolve(cwd, clientKey) }),
    ...(wire === undefined ? {} : { wire: oneOf(wire, WIRES, 'wire') }),
    ...(auth === undefined ? {} : { auth: oneOf(auth, AUTHS, 'way to send a key') }),
    ...(free === undefined ? {} : { free }),
    ...(header === undefined ? {} : { headers: Object.fromEntries(header.map(parseHeader)) }),
    ...(price === undefined ? {} : { prices: Object.fromEntries(price.map(parsePrice)) }),
    ...(window === undefined ? {} : { windows: Object.fromEntries(window.map(parseWindow)) }),
  };
}

/** `Name: value`. The value is not quoted in an error: it is a secret. */
function parseHeader(text: string): readonly [string, string] {
  const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(text) ?? [];
  if (name === undefined || value === undefined || value === '') throw usage('--header is not "Name: value"');
  return [name, value];
}

/** `model=input/output`, with the prices of a cache's tokens behind them: `model=3/15/0.3/3.75`. */
function parsePrice(text: string): readonly [string, NonNullable<NewConnection['prices']>[string]] {
  const [model, rates] = splitAtLast(text, '--price');
  const words = rates.split('/');
  const [input, output, cacheRead, cacheWrite] = words.map((word) =>
    /^\d+(\.\d+)?$/.test(word.trim()) ? Number(word) : Number.NaN,
  );
  const isWhole = words.length <= 4 && [input, output, cacheRead ?? 0, cacheWrite ?? 0].every((rate) => isRate(rate));
  if (input === undefined || output === undefined || !isWhole) {
    throw usage(
      `--price "${visibleLine(text)}" is not model=input/output`,
      'USD per million tokens, e.g. qwen3=0.2/0.6; with a cache: model=input/output/read/write.',
    );
  }
  return [
    model,
    {
      input,
      output,
      ...(cacheRead === undefined ? {} : { cacheRead }),
      ...(cacheWrite === undefined ? {} : { cacheWrite }),
    },
  ];
}

const isRate = (value: number | undefined): boolean => value !== undefined && Number.isFinite(value) && value >= 0;

function parseWindow(text: string): readonly [string, number] {
  const [model, tokens] = splitAtLast(text, '--window');
  const count = /^\d{1,9}$/.test(tokens) ? Number(tokens) : 0;
  if (count < 1) throw usage(`--window "${visibleLine(text)}" is not model=tokens`, 'For example: qwen3:8b=32768');
  return [model, count];
}

/** The name of a model may contain an equals sign; its value does not. */
function splitAtLast(text: string, option: string): readonly [string, string] {
  const at = text.lastIndexOf('=');
  if (at < 1 || text.startsWith('__proto__=')) throw usage(`${option} "${visibleLine(text)}" is not MODEL=…`);
  return [text.slice(0, at), text.slice(at + 1)];
}
