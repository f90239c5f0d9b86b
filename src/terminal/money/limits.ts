/** `limits`: ceilings over all jobs. */
import type { RequestInput } from '../../engine/state/api.ts';
import type { Limits } from '../../shared/money.ts';
import { type Context, print, readState, request } from '../screen/context.ts';
import { dollarsOrNone } from '../text/format.ts';
import { parseUsd } from '../text/parse.ts';

export interface LimitOptions {
  readonly daily?: string;
  readonly call?: string;
  readonly project?: string;
  readonly total?: string;
}

const NAMES = {
  daily: 'dayMicroUsd',
  call: 'callMicroUsd',
  project: 'projectMicroUsd',
  total: 'totalMicroUsd',
} as const;
const KEYS = ['daily', 'call', 'project', 'total'] as const;

export async function limitsVerb(context: Context, options: LimitOptions): Promise<number> {
  const given = KEYS.flatMap((key) => {
    const text = options[key];
    return text === undefined ? [] : [[NAMES[key], parseUsd(text, `--${key}`)] as const];
  });
  const wanted: RequestInput<'setLimits'> = Object.fromEntries(given);
  if (given.length > 0) await request(context, 'setLimits', wanted);
  show(context, (await readState(context)).meta.limits);
  return 0;
}

function show(context: Context, limits: Limits): void {
  const usd = (micro: number | null): number | null => (micro === null ? null : micro / 1e6);
  const lines = KEYS.map((key) => `${key.padEnd(8)} ${dollarsOrNone(usd(limits[NAMES[key]]))}`);
  const json = {
    limits: {
      callUsd: usd(limits.callMicroUsd),
      projectUsd: usd(limits.projectMicroUsd),
      dayUsd: usd(limits.dayMicroUsd),
      totalUsd: usd(limits.totalMicroUsd),
    },
  };
  print(context, json, lines.join('\n'));
}
