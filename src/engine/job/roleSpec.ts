/** Specs of the sessions of a job: the model and the effort that were chosen for its role. */

import { isSmallContext } from '../../core/model/smallContext.ts';
import { bookingDay } from '../../core/money/budget.ts';
import { type Beginning, type LimitLeft, limitsLeft } from '../../core/money/limitsLeft.ts';
import { windowOf } from '../../core/money/price/pricing.ts';
import { pricesWith } from '../../core/money/price/terms.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import type { SessionSpec } from '../session/ports.ts';
import { sessionSpec } from '../session/spec.ts';
import type { JobContext, ModelRole } from './context.ts';
import { type FactsPorts, type SharedWith, sharedText } from './jobFacts.ts';

export function roleSpec(
  role: ModelRole,
  { options }: Pick<JobRow, 'options'>,
  text: { readonly shared?: string; readonly phase?: string; readonly opening: string },
): SessionSpec {
  const model = options.models[role];
  return sessionSpec(role, { model, effort: options.effort?.[role], window: windowIn(options, model), ...text });
}

/** Tokens of the context of a model of the job; null if they are not known. */
const windowIn = ({ terms }: JobRow['options'], model: string): number | null => windowOf(pricesWith(terms), model);

/** The spec of a session, which starts with the shared texts of the job's and the phase's sessions. */
export async function sharedSpec(
  context: FactsPorts,
  role: ModelRole,
  job: JobRow,
  { phase = '', opening, ...given }: SharedWith & { readonly phase?: string; readonly opening: string },
): Promise<SessionSpec> {
  const isShort = isSmallContext(windowIn(job.options, job.options.models[role]));
  return roleSpec(role, job, { shared: await sharedText(context, job, { ...given, isShort }), phase, opening });
}

/** The remaining limits of a session of the job that starts now. */
export function limitsNow(
  { clock }: Pick<JobContext, 'clock'>,
  state: State,
  job: JobRow,
  of: Omit<Beginning, 'day'>,
): readonly LimitLeft[] {
  return limitsLeft(state, job, { ...of, day: bookingDay(state.meta.last_day, clock.now()) });
}
