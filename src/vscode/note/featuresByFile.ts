/** Which features changed a file: asked of git once for each finished attempt. */

import { messageOf } from '../../shared/errors.ts';
import type { FeatureRow } from '../../shared/job/rows.ts';
import type { HostContext } from '../window/context.ts';

/** With `among` only these features are asked about. */
export type FeaturesByFile = (file: string, among?: (feature: FeatureRow) => boolean) => Promise<readonly FeatureRow[]>;

export function featuresByFile(context: HostContext): FeaturesByFile {
  // By what git is asked, which means the same in every state; the ids of attempts begin anew in each.
  const pathsOf = new Map<string, Promise<ReadonlySet<string>>>();
  const changed = (job: string, from: string, to: string): Promise<ReadonlySet<string>> => {
    const key = JSON.stringify([context.engine.projectDir, job, from, to]);
    const known = pathsOf.get(key);
    if (known !== undefined) return known;
    const asked = context.engine.files.changedPaths(job, from, to).then(
      (paths) => new Set(paths),
      (thrown: unknown) => {
        // A clone that is gone: its features are simply not offered.
        context.log.debug(messageOf(thrown));
        return new Set<string>();
      },
    );
    pathsOf.set(key, asked);
    return asked;
  };
  return async (file, among = () => true) => {
    // Git is started only where things may run: a state that is looked at names folders of its own choice.
    if (context.engine.blocker !== null) return [];
    const { attempts, features } = context.engine.state;
    const found = new Map<number, FeatureRow>();
    for (const row of attempts.values()) {
      const feature = row.feature_id === null ? undefined : features.get(row.feature_id);
      if (feature === undefined || row.status !== 'succeeded' || row.commit === null) continue;
      if (found.has(feature.id) || !among(feature)) continue;
      if ((await changed(row.job_id, row.base_commit, row.commit)).has(file)) found.set(feature.id, feature);
    }
    return [...found.values()];
  };
}
