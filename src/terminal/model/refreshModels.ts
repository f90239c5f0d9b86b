/** `models refresh`: reads the lists of the servers again, and shows which prices changed. */
import type { PriceChange } from '../../core/money/price/listedModels.ts';
import { asFailure } from '../../shared/errors.ts';
import { type Context, columns, print } from '../screen/context.ts';
import { type Column, table } from '../text/table.ts';
import { visibleLine } from '../text/visible.ts';

const COLUMNS: readonly Column[] = [
  { title: 'MODEL', gives: true },
  { title: 'BEFORE', align: 'right' },
  { title: 'NOW', align: 'right' },
  { title: '' },
];

export interface RefreshOptions {
  readonly lower?: true;
}

export async function refreshVerb(
  context: Context,
  name: string | undefined,
  options: RefreshOptions,
): Promise<number> {
  const { model } = context.workspace;
  const { connections, faults, file } = await model.list();
  const names = name === undefined ? connections.map(({ connection }) => connection.name) : [name];
  const lower = options.lower === true;
  const read = await Promise.all(
    names.map(async (one) => {
      try {
        return { name: one, ...(await model.refresh(one, lower)), failed: null };
      } catch (thrown) {
        if (name !== undefined) throw thrown;
        return { name: one, models: 0, changes: [], failed: asFailure(thrown).message };
      }
    }),
  );
  const blocks = read.map((one) => {
    const head = context.paint(visibleLine(one.name), 'strong');
    if (one.failed !== null) return `${head}: ${visibleLine(one.failed)}`;
    if (one.changes.length === 0) return `${head}: ${modelsText(one.models)}, no price changed.`;
    const rows = one.changes.map((change) => rowOf(change, lower));
    return [
      `${head}: ${modelsText(one.models)}; USD per million tokens, input/output:`,
      ...table(COLUMNS, rows, columns(context)),
    ].join('\n');
  });
  const isHeld = !lower && read.some(({ changes }) => changes.some(({ isLower }) => isLower));
  if (isHeld) blocks.push('Prices that fell are kept as they were. To take them: --lower');
  if (read.some(({ changes }) => changes.length > 0)) blocks.push('New prices apply from the next job.');
  if (read.length === 0) blocks.push('There are no connections.');
  if (name === undefined) blocks.push(...faults.map((fault) => context.paint(`${file}: ${visibleLine(fault)}`, 'bad')));
  print(context, { connections: read, lower, faults }, blocks.join('\n\n'));
  return read.some(({ failed }) => failed !== null) || faults.length > 0 ? 1 : 0;
}

function rowOf({ model, before, now, isLower }: PriceChange, lower: boolean): string[] {
  return [visibleLine(model), priceText(before), priceText(now), isLower && !lower ? 'kept' : ''];
}

const modelsText = (count: number): string => `${count} ${count === 1 ? 'model' : 'models'}`;

const priceText = (rates: readonly [number, number] | null): string =>
  rates === null ? '-' : `${rates[0]}/${rates[1]}`;
