/** `models list` and `models show`: the user's connections to model servers, and their models. */
import { connectionHint } from '../../core/model/connection/connectionHint.ts';
import { failure } from '../../shared/errors.ts';
import {
  faultOf,
  keyVariables,
  type ListedConnection,
  type ListedConnections,
} from '../../shared/model/connections.ts';
import type { Terms } from '../../shared/model/terms.ts';
import { type Context, columns, command, print } from '../screen/context.ts';
import { tokens } from '../text/format.ts';
import { type Column, table } from '../text/table.ts';
import { visibleLine } from '../text/visible.ts';

const COLUMNS: readonly Column[] = [
  { title: 'NAME' },
  { title: 'SERVER', gives: true },
  { title: 'WIRE' },
  { title: 'KEY' },
];

export async function listVerb(context: Context): Promise<number> {
  const listed = await context.workspace.model.list();
  const { presets, faults, file } = listed;
  const connections = listed.connections.map(jsonOf);
  print(context, { connections, presets, faults, file }, context.json ? '' : listText(context, listed));
  return faults.length === 0 ? 0 : 1;
}

/** Without the values of headers, which are secrets. */
const jsonOf = ({ connection: { listed: _, ...connection }, key }: ListedConnection): object => ({
  ...connection,
  headers: Object.keys(connection.headers),
  key,
});

function keyText({ connection, key }: ListedConnection): string {
  const variables = keyVariables(connection).join(', ');
  if (key === 'missing') return `missing${variables === '' ? '' : ` (${variables})`}`;
  if (key === 'environment') return variables;
  return key === 'none' ? 'not needed' : key;
}

function listText(context: Context, { connections, presets, faults, file }: ListedConnections): string {
  const rows = connections.map((one) => {
    const { name, baseUrl, wire } = one.connection;
    return [name, visibleLine(baseUrl), wire, keyText(one)];
  });
  const own = ['anthropic', 'ANTHROPIC_BASE_URL, or https://api.anthropic.com', 'messages', 'ANTHROPIC_API_KEY'];
  const blocks = [table(COLUMNS, [own, ...rows], columns(context)).join('\n')];
  if (faults.length > 0) {
    blocks.push(
      [`In ${visibleLine(file)}:`, ...faults.map((fault) => context.paint(`  ${visibleLine(fault)}`, 'bad'))].join(
        '\n',
      ),
    );
  }
  const others = presets.map(({ name }) => name).filter((name) => !rows.some(([known]) => known === name));
  blocks.push(`Presets: ${others.join(', ')}`);
  blocks.push(
    `Add one: ${command(context, 'models add NAME')}\nUse one: ${command(context, 'run --model NAME/MODEL "…"')}`,
  );
  return blocks.join('\n\n');
}

const MODEL_COLUMNS: readonly Column[] = [
  { title: 'MODEL', gives: true },
  { title: 'CONTEXT', align: 'right' },
  { title: 'INPUT', align: 'right' },
  { title: 'OUTPUT', align: 'right' },
  { title: 'PRICE FROM', optional: true },
];

export async function showVerb(context: Context, name: string): Promise<number> {
  const { connections, presets, faults, file } = await context.workspace.model.list();
  const listed = connections.find(({ connection }) => connection.name === name);
  if (listed === undefined) {
    const fault = faultOf(faults, name);
    const known = {
      connections: connections.map(({ connection }) => connection.name),
      presets: presets.map((preset) => preset.name),
    };
    throw failure('NOT_FOUND', `there is no connection named ${visibleLine(name)}`, {
      hint: fault === undefined ? connectionHint(name, known) : `${file}: ${fault}`,
    });
  }
  const models = await context.workspace.model.terms(name);
  print(context, { connection: jsonOf(listed), models }, context.json ? '' : showText(context, listed, models));
  return 0;
}

function showText(context: Context, listed: ListedConnection, models: Terms): string {
  const { name, title, baseUrl, wire, auth, headers, clientCert, free } = listed.connection;
  const facts: (readonly [string, string])[] = [
    ['Server', baseUrl],
    ['Wire', wire],
    ['Key', listed.key === 'none' ? keyText(listed) : `${keyText(listed)}, sent as ${auth}`],
    ...(Object.keys(headers).length === 0 ? [] : [['Headers', Object.keys(headers).join(', ')] as const]),
    ...(clientCert === null ? [] : [['Certificate', clientCert] as const]),
    ['Prices', free ? 'free, by your declaration' : 'a model without a price has limits of calls and tokens'],
  ];
  const lines = facts.map(([label, text]) => `  ${context.paint(label.padEnd(12), 'faint')}${visibleLine(text)}`);
  const rows = Object.entries(models).map(([model, { tiers, window, source }]) => [
    visibleLine(model),
    window === null ? '-' : tokens(window),
    priceText(tiers?.map(({ input }) => input)),
    priceText(tiers?.map(({ output }) => output)),
    visibleLine(source),
  ]);
  const blocks = [[context.paint(`${visibleLine(title)} (${name})`, 'strong'), ...lines].join('\n')];
  if (rows.length > 0) {
    blocks.push(
      [
        'Models with a known price or context; USD per million tokens:',
        ...table(MODEL_COLUMNS, rows, columns(context)),
      ].join('\n'),
    );
  }
  return blocks.join('\n\n');
}

/** The price of short prompts, and `+` if longer ones cost more. */
function priceText(rates: readonly number[] | undefined): string {
  const [first] = rates ?? [];
  if (first === undefined) return '-';
  return `$${first}${(rates ?? []).some((rate) => rate > first) ? '+' : ''}`;
}
