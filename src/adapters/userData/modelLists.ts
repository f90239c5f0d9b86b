/** Keeps in the user's configuration what the servers of connections stated of their models when they were last asked. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ListedModels } from '../../core/money/price/listedModels.ts';
import { parseJson } from '../../core/text/json.ts';
import { replaceFile } from './replaceFile.ts';

const FILE = 'model-lists.json';

const Tier = z.object({
  upTo: z.null(),
  input: z.number().positive(),
  output: z.number().positive(),
  cacheRead: z.number().positive(),
  cacheWrite: z.number().positive().exactOptional(),
});

/** A list, and the day on which it was read. */
export interface KeptList {
  readonly day: string;
  readonly models: ListedModels;
}

const Lists = z.record(
  z.string(),
  z.object({
    day: z.iso.date(),
    models: z.record(z.string(), z.object({ tiers: z.array(Tier).nullable(), window: z.int().positive().nullable() })),
  }),
);

/** By connection and host, so that a list never applies to another server. */
export type KeptLists = Readonly<Record<string, KeptList>>;

/** Empty if none was read, or the file is damaged. */
export function keptLists(configDir: string): KeptLists {
  try {
    return Lists.safeParse(parseJson(readFileSync(join(configDir, FILE), 'utf8'))).data ?? {};
  } catch {
    return {}; // none was read yet
  }
}

export function keepList(configDir: string, key: string, list: KeptList): void {
  replaceFile(join(configDir, FILE), JSON.stringify({ ...keptLists(configDir), [key]: list }));
}
