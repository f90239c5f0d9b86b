/** Keeps in the user's configuration which models passed their check, for a day. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../core/text/json.ts';
import type { KeptChecks } from '../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../shared/clock.ts';
import { replaceFile } from './replaceFile.ts';

const FILE = 'model-checks.json';
const VALID_MS = 86_400_000;

/** By the keys of the checks; `at` in epoch milliseconds. */
const Kept = z.record(z.string(), z.object({ at: z.number(), context: z.number().nullable() }));
type Kept = z.infer<typeof Kept>;

export function keptChecks(configDir: string, clock: Pick<Clock, 'now'>): KeptChecks {
  const file = join(configDir, FILE);
  const read = async (): Promise<Kept> => {
    try {
      return Kept.safeParse(parseJson(await readFile(file, 'utf8'))).data ?? {};
    } catch {
      return {}; // nothing was checked yet
    }
  };
  const isFresh = ({ at }: Kept[string]): boolean => at <= clock.now() && clock.now() - at < VALID_MS;
  return {
    find: async (key) => {
      const kept = (await read())[key];
      return kept !== undefined && isFresh(kept) ? { context: kept.context } : null;
    },
    keep: async (key, { context }) => {
      const fresh = Object.entries(await read()).filter(([, kept]) => isFresh(kept));
      const text = JSON.stringify({ ...Object.fromEntries(fresh), [key]: { at: clock.now(), context } });
      try {
        replaceFile(file, text);
      } catch {
        // Best effort: the next process checks again.
      }
    },
  };
}
