/** Keeps in the user's configuration what the servers of connections stated of their models when they were last asked. */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ListedModels } from '../../core/money/price/listedModels.ts';
import { parseJson } from '../../core/text/json.ts';
import { replaceFile } from './replaceFile.ts';

const FILE = 'model-lists.json';

const Tier = z.object({
  upTo: z.int().positive().nullable(),
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative(),
  cacheWrite: z.number().nonnegative().exactOptional(),
});
const Model = z.object({ tiers: z.array(Tier).min(1).nullable(), window: z.int().positive().nullable() });

/** A list, and the day on which it was read. */
export interface KeptList {
  readonly day: string;
  readonly models: ListedModels;
}

const List = z.object({ day: z.iso.date(), models: z.record(z.string(), Model) });
const Lists = z.record(z.string(), z.unknown());

/** By connection and host, so that a list never applies to another server. */
export type KeptLists = Readonly<Record<string, KeptList>>;

/** The last one that was read, because it is looked up for each call of a model. */
let last: { readonly file: string; readonly changed: string; readonly lists: KeptLists } | null = null;

/** Empty if none was read, or the file cannot be read. A damaged list is left out. */
export function keptLists(configDir: string): KeptLists {
  const file = join(configDir, FILE);
  let stat: Stats;
  try {
    stat = statSync(file);
  } catch {
    return {}; // none was read yet
  }
  const changed = `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
  if (last?.file === file && last.changed === changed) return last.lists;
  const lists = Object.entries(Lists.safeParse(parseJson(readFileSync(file, 'utf8'))).data ?? {}).flatMap(
    ([key, one]) => {
      const list = List.safeParse(one).data;
      return list === undefined ? [] : [[key, list] as const];
    },
  );
  last = { file, changed, lists: Object.fromEntries(lists) };
  return last.lists;
}

/** Removes the lists of a connection, whatever its server was. */
export function dropLists(configDir: string, connection: string): void {
  const lists = keptLists(configDir);
  const left = Object.entries(lists).filter(([key]) => !key.startsWith(`${connection}@`));
  if (left.length < Object.keys(lists).length)
    replaceFile(join(configDir, FILE), JSON.stringify(Object.fromEntries(left)));
}

export function keepList(configDir: string, key: string, list: KeptList): void {
  replaceFile(join(configDir, FILE), JSON.stringify({ ...keptLists(configDir), [key]: list }));
}
