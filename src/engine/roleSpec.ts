/** The spec of a session of a job: the model and the effort that were chosen for its role. */
import type { SessionSpec } from '../agent/ports.ts';
import { sessionSpec } from '../agent/spec.ts';
import type { JobRow } from '../shared/domain.ts';
import type { ModelRole } from './context.ts';

export function roleSpec(
  role: ModelRole,
  { options }: Pick<JobRow, 'options'>,
  text: { readonly shared?: string; readonly opening: string },
): SessionSpec {
  return sessionSpec(role, { model: options.models[role], effort: options.effort?.[role], ...text });
}
