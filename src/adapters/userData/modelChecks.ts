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

/** Epoch milliseconds of the checks, by their keys. */
const Kept = z.record(z.string(), z.number());

export function keptChecks(configDir: string, clock: Pick<Clock, 'now'>): KeptChecks {
  const file = join(configDir, FILE);
  const read = async (): Promise<Readonly<Record<string, number>>> => {
    try {
      return Kept.safeParse(parseJson(await readFile(file, 'utf8'))).data ?? {};
    } catch {
      return {}; // nothing was checked yet
    }
  };
  const isFresh = (at: number | undefined): boolean =>
    at !== undefined && at <= clock.now() && clock.now() - at < VALID_MS;
  return {
    isValid: async (key) => isFresh((await read())[key]),
    keep: async (key) => {
      const fresh = Object.entries(await read()).filter(([, at]) => isFresh(at));
      const text = JSON.stringify({ ...Object.fromEntries(fresh), [key]: clock.now() });
      try {
        replaceFile(file, text);
      } catch {
        // Best effort: the next process checks again.
      }
    },
  };
}
